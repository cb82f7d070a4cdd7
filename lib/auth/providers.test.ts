import { describe, expect, test } from "vitest";
import { loadEnv } from "@/lib/engine/env";
import { providerOrigins, providersOf, strangerFrom } from "./providers";

const github = { GITHUB_ID: "id", GITHUB_SECRET: "secret" };

describe("providers", () => {
  test("are those that the environment has a client for", () => {
    expect(providersOf(loadEnv({}))).toEqual([]);
    expect(providerOrigins(loadEnv({}))).toEqual([]);
    expect(providersOf(loadEnv(github))).toEqual([{ id: "github", name: "GitHub" }]);
    const enterprise = loadEnv({ ...github, GITHUB_URL: "https://git.example.com" });
    expect(providerOrigins(enterprise)).toEqual(["https://git.example.com"]);
  });

  test.each([
    [{ GITHUB_ID: "id" }, "GITHUB_ID and GITHUB_SECRET go together"],
    [{ GOOGLE_CLIENT_SECRET: "s" }, "GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together"],
    [{ ...github, GITHUB_URL: "git.example.com" }, "GITHUB_URL"],
  ])("refuse half a client: %o", (source, words) => {
    expect(() => loadEnv(source)).toThrow(words);
  });
});

describe("the identity from a provider", () => {
  const profile = { id: 7, login: "Octo Cat!", name: " Octo\u0000 ", email: "O@Example.com" };

  test("has an address only where it is verified", () => {
    expect(strangerFrom("github", { ...profile, email_verified: true })).toEqual({
      provider: "github",
      providerAccountId: "7",
      email: "o@example.com",
      name: "Octo",
      handle: "Octo-Cat-",
    });
    expect(strangerFrom("github", { ...profile, email_verified: "true" })?.email).toBeNull();
    expect(strangerFrom("github", profile)?.email).toBeNull();
  });

  test("is named by what there is", () => {
    const bare = { sub: "9", email: "jo.b@example.com", email_verified: true };
    expect(strangerFrom("google", bare)).toMatchObject({ name: "jo.b", handle: "jo.b" });
    expect(strangerFrom("google", { sub: "9" })).toMatchObject({ handle: "google" });
    expect(strangerFrom("google", {})).toBeNull();
    expect(strangerFrom("google", { sub: "x".repeat(256) })).toBeNull();
  });
});
