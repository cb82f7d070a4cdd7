import { expect, test } from "vitest";
import { isSensitive } from "@/lib/protocol/scope";
import { listedScopes, readScopes, scopeText } from "./scopes";

test.each([
  ["none", undefined, ["prof:preferences"], true],
  ["an empty one", "", ["prof:preferences"], true],
  ["unknown words alone", "claudeai openid", ["prof:preferences"], true],
  ["one of ours", "prof:interests", ["prof:interests"], false],
  ["several, of which some are unknown", "prof:health claudeai propose", ["prof:health"], true],
  ["the same twice", "prof:health prof:health", ["prof:health"], false],
  ["proposing alone", "propose", ["prof:preferences"], true],
  ["a wish to stay signed in", "prof:interests offline_access", ["prof:interests"], false],
])("of %s, %o is asked for", (_what, text, scopes, proposes) => {
  expect(readScopes(text)).toEqual({ scopes, proposes });
});

test("no more scopes are taken than a request of the protocol may name", () => {
  const many = Array.from({ length: 80 }, (_, nth) => `prof:n${nth}`).join(" ");
  expect(readScopes(many).scopes).toHaveLength(50);
});

test("what is listed is never sensitive, and reads back as it is", () => {
  const { scopes } = readScopes(listedScopes.join(" "));
  expect(scopes.some(isSensitive)).toBe(false);
  expect(scopeText(readScopes(listedScopes.join(" "))).split(" ")).toEqual(listedScopes);
});
