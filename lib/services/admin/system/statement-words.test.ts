import { expect, test } from "vitest";
import { slowest, statementWords } from "./statement-words";

test.each([
  ['SELECT m.id FROM "Memory" m JOIN "Policy" p ON p.id = m.id', "Reads Memory, Policy"],
  ['INSERT INTO "public"."AccessEvent" ("id") VALUES ($1)', "Adds to AccessEvent"],
  ['UPDATE "Agent" SET state = $1 WHERE did = $2', "Changes Agent"],
  ['delete from "Session" where "userId" = $1', "Deletes from Session"],
  [
    'SELECT p.id FROM "Profile" p JOIN "Memory" m ON m."profileId" = p.id FOR UPDATE OF m',
    "Reads Profile, Memory",
  ],
  ['INSERT INTO "Job" (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET at = $2', "Adds to Job"],
  [
    'UPDATE "Profile" SET at = $1 WHERE id IN (SELECT id FROM "Profile" FOR NO KEY UPDATE SKIP LOCKED)',
    "Changes Profile",
  ],
  [
    'WITH page AS (SELECT id FROM "Memory") SELECT m.id FROM page JOIN "Memory" m USING (id)',
    "Reads Memory",
  ],
  ["SELECT * FROM propose_all($1::json, $2, $3)", "Calls propose_all"],
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
