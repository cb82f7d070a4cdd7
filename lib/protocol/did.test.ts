import { describe, expect, it } from "vitest";
import { agentDid, Did, parseDid, userDid } from "./did";
import vectors from "./vectors/did.json";

describe("a DID is taken apart", () => {
  it.each(vectors.valid)("$description", ({ did, kind, namespace, name }) => {
    expect(parseDid(did)).toEqual({ kind, namespace, name });
    expect(Did.parse(did)).toBe(did);
    expect((kind === "user" ? userDid : agentDid)(namespace, name)).toBe(did);
  });
});

describe("refuses invalid DIDs", () => {
  it.each(vectors.invalid)("$description", ({ did }) => {
    expect(parseDid(did)).toBeNull();
    expect(Did.safeParse(did).success).toBe(false);
  });
});

it("no DID is built from parts outside the grammar", () => {
  expect(() => userDid("local", "a:b")).toThrow();
  expect(() => agentDid("", "iris")).toThrow();
});
