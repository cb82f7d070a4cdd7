import { expect, test } from "vitest";
import { slowest, statementWords } from "./statement-words";

test.each([
  ['SELECT m.id FROM "Memory" m JOIN "Policy" p ON p.id = m.id', "Reads Memory, Policy"],
  ['INSERT INTO "public"."AccessEvent" ("id") VALUES ($1)', "Adds to AccessEvent"],
  ['UPDATE "Agent" SET state = $1 WHERE did = $2', "Changes Agent"],
  ['delete from "Session" where "userId" = $1', "Deletes from Session"],
  ["BEGIN ISOLATION LEVEL READ COMMITTED", "Looks after the connection"],
])("%s is described as: %s", (statement, words) => {
  expect(statementWords(statement)).toBe(words);
});

test("statements that do the same are one row, the slowest row first", () => {
  const [read, write] = ['SELECT 1 FROM "Memory"', 'UPDATE "Memory" SET "content" = $1'];
  const statements = [
    { statement: read, calls: 1, meanMs: 9, totalMs: 9 },
    { statement: write, calls: 2, meanMs: 5, totalMs: 10 },
    { statement: `${read} WHERE true`, calls: 2, meanMs: 0.5, totalMs: 1 },
  ];
  expect(slowest(statements)).toEqual([
    { words: "Changes Memory", calls: 2, totalMs: 10, meanMs: 5 },
    { words: "Reads Memory", calls: 3, totalMs: 10, meanMs: 10 / 3 },
  ]);
});
