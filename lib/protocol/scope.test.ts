import { describe, expect, it } from "vitest";
import {
  Category,
  commonMemberScope,
  covers,
  isCategory,
  overlaps,
  Scope,
  sensitiveCategories,
} from "./scope";
import vectors from "./vectors/scope.json";

describe("the grammar tells scopes, categories and everything else apart", () => {
  it.each(vectors.grammar)("$description", ({ text, scope, category }) => {
    expect(Scope.safeParse(text).success).toBe(scope);
    expect(Category.safeParse(text).success).toBe(category);
    expect(isCategory(text)).toBe(category);
  });
});

describe("a scope covers itself and what lies below, nothing else", () => {
  it.each(vectors.covers)("$description", ({ scope, category, covers: expected }) => {
    expect(covers(scope, category)).toBe(expected);
  });
});

describe("a scope covers another when it covers all that the other does", () => {
  it.each([
    ["prof:health", "prof:health.*", true],
    ["prof:health.*", "prof:health", true],
    ["prof:health.*", "prof:health.allergies.*", true],
    ["prof:*", "prof:*", true],
    ["prof:*", "prof:health.*", true],
    ["prof:health", "prof:*", false],
    ["prof:health.*", "prof:*", false],
    ["prof:health.allergies", "prof:health.*", false],
    ["prof:health.*", "prof:healthcare.*", false],
  ])("%s, %s: %s", (outer, inner, expected) => {
    expect(covers(outer, inner)).toBe(expected);
  });
});

describe("scopes overlap when one lies within the other", () => {
  it.each([
    ["prof:*", "prof:health", true],
    ["prof:health", "prof:*", true],
    ["prof:health.*", "prof:health.allergies", true],
    ["prof:health.allergies", "prof:health", true],
    ["prof:health", "prof:health", true],
    ["prof:health", "prof:interests", false],
    ["prof:health.allergies", "prof:health.medication", false],
    ["prof:health", "prof:healthcare", false],
  ])("%s, %s: %s", (one, other, expected) => {
    expect(overlaps(one, other)).toBe(expected);
  });
});

it("a member of common is governed by the scope of its path", () => {
  expect(commonMemberScope("preferences")).toBe("prof:preferences");
  expect(commonMemberScope("preferences", "language")).toBe("prof:preferences.language");
  expect(commonMemberScope("favouriteColours")).toBe("prof:favouritecolours");
});

it("sensitive categories are categories", () => {
  for (const category of sensitiveCategories) expect(Category.parse(category)).toBe(category);
});
