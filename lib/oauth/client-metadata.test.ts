import { describe, expect, test } from "vitest";
import { isDocumentId, readClientDocument, readClientMetadata } from "./client-metadata";

const redirect_uris = ["http://localhost/callback"];
const named = { client_name: "Claude Code", redirect_uris };

describe("what a client says of itself", () => {
  test("is its name and addresses; grants and methods that nobody uses here are let through", () => {
    const more = {
      grant_types: ["authorization_code", "refresh_token", "device_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "private_key_jwt",
      logo_uri: "https://claude.ai/logo.svg",
    };
    const read = readClientMetadata({ ...named, ...more }, "Somebody");
    expect(read).toEqual({ name: "Claude Code", redirectUris: redirect_uris });
  });

  test("may leave out the name", () => {
    expect(readClientMetadata({ redirect_uris }, "Somebody").name).toBe("Somebody");
  });

  test.each([
    ["no addresses", { client_name: "X" }, "invalid_redirect_uri"],
    ["an empty list", { redirect_uris: [] }, "invalid_redirect_uri"],
    [
      "eleven addresses",
      { redirect_uris: Array(11).fill("https://a.example/") },
      "invalid_redirect_uri",
    ],
    [
      "one bad address of three",
      { redirect_uris: ["https://a.example/", "data://x"] },
      "invalid_redirect_uri",
    ],
    ["a list of numbers", { redirect_uris: [1] }, "invalid_redirect_uri"],
    ["a name that is none", { redirect_uris, client_name: " " }, "invalid_client_metadata"],
    ["too long a name", { redirect_uris, client_name: "x".repeat(101) }, "invalid_client_metadata"],
    ["no code grant", { redirect_uris, grant_types: ["implicit"] }, "invalid_client_metadata"],
    ["no code", { redirect_uris, response_types: ["token"] }, "invalid_client_metadata"],
    ["a list", [named], "invalid_client_metadata"],
    ["nothing", null, "invalid_client_metadata"],
  ])("is refused with %s", (_what, value, code) => {
    expect(() => readClientMetadata(value, "Somebody")).toThrow(expect.objectContaining({ code }));
  });
});

describe("a document", () => {
  const url = "https://claude.ai/oauth/claude-code-client-metadata";

  test("names its own address", () => {
    expect(readClientDocument(url, { ...named, client_id: url }).name).toBe("Claude Code");
  });

  test.each([
    ["another id", { ...named, client_id: `${url}/` }],
    ["no id", named],
    ["a secret", { ...named, client_id: url, client_secret: "x" }],
  ])("with %s is refused", (_what, value) => {
    const refused = expect.objectContaining({ code: "invalid_client" });
    expect(() => readClientDocument(url, value)).toThrow(refused);
  });

  test.each([
    [true, url],
    [true, "https://vscode.dev/oauth/client-metadata.json"],
    [false, "http://claude.ai/client"],
    [false, "https://claude.ai"],
    [false, "https://claude.ai/"],
    [false, "https://claude.ai/a#b"],
    [false, "https://user@claude.ai/a"],
    [false, "https://claude.ai/a/../b"],
    [false, "https://CLAUDE.ai/a"],
    [false, "https://claude.ai:443/a"],
    [false, `https://claude.ai/${"x".repeat(512)}`],
    [false, "oauth-x"],
  ])("is %s at %s", (is, id) => {
    expect(isDocumentId(id)).toBe(is);
  });
});
