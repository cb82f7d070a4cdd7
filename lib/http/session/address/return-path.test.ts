import { describe, expect, test, vi } from "vitest";
import { returnCookie, returnCookieAfter, returnPath, returnWords } from "./return-path";

const jar = new Map<string, { value: string }>();
vi.mock("next/headers", () => ({ cookies: async () => jar, headers: async () => new Headers() }));

function landsOn(value: string | undefined): Promise<string> {
  jar.clear();
  if (value !== undefined) jar.set(returnCookie, { value });
  return returnPath();
}

describe("where a sign-in leads", () => {
  test.each([
    ["/dashboard/access?request=creq_1", "/dashboard/access?request=creq_1"],
    ["/dashboard/memories?search=a%20b", "/dashboard/memories?search=a%20b"],
    ["/admin/agents", "/admin/agents"],
    [undefined, "/dashboard"],
    ["", "/dashboard"],
  ])("%j: %s", async (value, path) => {
    expect(await landsOn(value)).toBe(path);
  });

  test.each([
    "//evil.example/dashboard",
    "\\\\evil.example/dashboard",
    "/\\evil.example",
    "/\t/evil.example",
    "https://evil.example/dashboard",
    "https:evil.example/dashboard",
    "javascript:alert(1)//dashboard",
    "data:text/html,x",
    "%2F%2Fevil.example",
    "/%2F%2Fevil.example",
    "/dashboard@evil.example",
    "/dashboard.evil.example",
    "/api/profile/export",
    "/dashboard/../api/auth/signout",
    "/dashboard/%2e%2e/api/auth/signout",
    "/link/abc",
    "/goodbye",
    "\0",
    "x".repeat(100_000),
  ])("not where %j says", async (value) => {
    expect(await landsOn(value)).toBe("/dashboard");
  });

  test("the admin pages for the first admin, where nothing was asked for", async () => {
    jar.clear();
    expect(await returnPath("/admin")).toBe("/admin");
  });
});

describe("a visit to a personal page", () => {
  const at = (address: string) => new URL(address, "https://gateway.example");
  const url = at("/dashboard/access?request=creq_1");
  const visit = { url, isSignedIn: false, isRemembered: false, isHttps: true };

  test("signed out: is remembered for an hour, for this gateway alone", () => {
    expect(returnCookieAfter(visit)).toBe(
      "gateway-return=%2Fdashboard%2Faccess%3Frequest%3Dcreq_1; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax; Secure",
    );
  });

  test("signed out: is not remembered where its address is too long", () => {
    const long = at(`/dashboard/access?request=${"y".repeat(2_000)}`);
    expect(returnCookieAfter({ ...visit, url: long })).toBeNull();
  });

  test.each([
    ["/dashboard/memories?q=depression&category=prof:health", "/dashboard/memories"],
    ["/dashboard/proposals?q=a&card=prop_1&agent=b", "/dashboard/proposals?card=prop_1"],
  ])("signed out: of %s only %s is remembered, no words of a person", (address, path) => {
    const cookie = returnCookieAfter({ ...visit, url: at(address) });
    expect(cookie).toContain(`=${encodeURIComponent(path)};`);
  });

  test.each(["/dashboard/activity/export/csv", "/admin/activity/export/json"])(
    "signed out: the file %s is not remembered",
    (address) => {
      expect(returnCookieAfter({ ...visit, url: at(address) })).toBeNull();
    },
  );

  test("signed in: forgets what was remembered, and else does nothing", () => {
    const arrived = { ...visit, isSignedIn: true };
    expect(returnCookieAfter(arrived)).toBeNull();
    expect(returnCookieAfter({ ...arrived, isRemembered: true })).toContain("Max-Age=0");
  });
});

test.each([
  ["/dashboard", null],
  ["/dashboard/access?request=creq_1", "the access request"],
  ["/dashboard/access/creq_1", "the access request"],
  ["/dashboard/access", "your access requests"],
  ["/dashboard/memories/mem_1", "your memories"],
  ["/dashboard/new-place", "the page you asked for"],
  ["/admin", "the admin pages"],
])("%s is called %j at sign-in", (path, words) => {
  expect(returnWords(path)).toBe(words);
});
