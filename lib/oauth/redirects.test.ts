import { describe, expect, test } from "vitest";
import { isRedirectUri, isSameRedirect, redirectName } from "./redirects";

describe("an address that a client may be sent back to", () => {
  test.each([
    "https://claude.ai/api/mcp/auth_callback",
    "https://chatgpt.com/connector/oauth/x?y=z",
    "http://localhost/callback",
    "http://127.0.0.1:33418/",
    "http://[::1]:8080/x",
    "http://localhost:8787/callback",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "com.example.app://done",
  ])("is %s", (uri) => {
    expect(isRedirectUri(uri)).toBe(true);
  });

  test.each([
    ["plain http elsewhere", "http://gateway.example/callback"],
    ["a host that only begins like loopback", "http://localhost.evil.example/"],
    ["loopback as a user's name", "http://localhost:80@evil.example/callback"],
    ["a user's name over https", "https://claude.ai@evil.example/"],
    ["a fragment", "https://claude.ai/#x"],
    ["a backslash", "https://claude.ai\\@evil.example/"],
    ["white space", "https://claude.ai/a b"],
    ["letters outside ASCII", "https://cläude.ai/"],
    ["no host", "https:///x"],
    ["no address at all", "claude"],
    ["a scheme alone", "cursor:callback"],
    ["too long a one", `https://claude.ai/${"x".repeat(2_000)}`],
    ["a port that is none", "http://localhost:99999/callback"],
    ...[
      ...["javascript", "data", "file", "blob", "vbscript", "about", "view-source", "smb", "ssh"],
      ...["shell", "ms-settings", "x-apple-health", "chrome-untrusted", "itms-services", "edge"],
    ].map((scheme) => [`the scheme ${scheme}`, `${scheme}://x/y`]),
  ])("is not %s", (_what, uri = "") => {
    expect(isRedirectUri(uri)).toBe(false);
  });
});

describe("the address of a request", () => {
  test.each([
    ["is the registered one", "https://claude.ai/cb", "https://claude.ai/cb"],
    ["has any port on loopback", "http://localhost/callback", "http://localhost:59656/callback"],
    ["has another port on loopback", "http://127.0.0.1:33418/", "http://127.0.0.1:1/"],
    ["has no path where the root is meant", "http://127.0.0.1/", "http://127.0.0.1:59656"],
    ["and the other way round", "http://127.0.0.1", "http://127.0.0.1:59656/"],
  ])("fits where it %s", (_how, registered, requested) => {
    expect(isSameRedirect(registered, requested)).toBe(true);
  });

  test.each([
    ["another path", "http://localhost/callback", "http://localhost:1/other"],
    ["another name of the same machine", "http://localhost/callback", "http://127.0.0.1/callback"],
    ["another port over https", "https://claude.ai/cb", "https://claude.ai:444/cb"],
    ["one slash more", "https://claude.ai/cb", "https://claude.ai/cb/"],
    ["a host behind the port", "http://localhost/", "http://localhost:80@evil.example/"],
    ["a port that is none", "http://localhost/callback", "http://localhost:99999/callback"],
    ["a query", "http://localhost/callback", "http://localhost:1/callback?x"],
  ])("does not fit with %s", (_what, registered, requested) => {
    expect(isSameRedirect(registered, requested)).toBe(false);
  });
});

test.each([
  ["https://claude.ai:8443/cb", "claude.ai"],
  ["http://127.0.0.1:1/x", "127.0.0.1"],
  ["cursor://anysphere.cursor-mcp/oauth/callback", "cursor://…"],
])("%s is called %s", (uri, name) => {
  expect(redirectName(uri)).toBe(name);
});
