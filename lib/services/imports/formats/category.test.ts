import { expect, test } from "vitest";
import { Category, isSensitive } from "@/lib/protocol/scope";
import table from "./categories.json";
import { suggestCategory } from "./category";

test("every category of the table -> valid and not sensitive", () => {
  for (const category of [table.general, ...table.sorts.map((sort) => sort.category)]) {
    expect(Category.parse(category)).toBe(category);
    expect(isSensitive(category)).toBe(false);
  }
});

test.each([
  ["Work context", "Likes tea", "prof:professional"],
  ["user_preferences, home", "Has three goats", "prof:preferences"],
  [null, "Likes green tea", "prof:preferences"],
  [null, "Works as a baker", "prof:professional"],
  [null, "Plays chess on Sundays", "prof:interests"],
  [null, "Has three goats", "prof:episodic"],
  ["Health", "Likes running", "prof:episodic"],
  ["Preferences", "Hates her new medication", "prof:episodic"],
])("section %s, text %s -> %s", (section, content, category) => {
  expect(suggestCategory({ section, content })).toBe(category);
});
