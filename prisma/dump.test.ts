import { Client } from "pg";
import { expect, test } from "vitest";
import { cloneDatabase } from "@/tests/support/database";
import { dumpSchema } from "./dump";

const client = new Client({ connectionString: await cloneDatabase() });
await client.connect();

// `npx vitest run prisma/dump.test.ts -u` writes the file again.
test("prisma/schema.sql is what the migrations make", async () => {
  await expect(await dumpSchema(client)).toMatchFileSnapshot("schema.sql");
});

test.each([
  ["a column", 'ALTER TABLE "Memory" ADD COLUMN pinned boolean'],
  ["a default", 'ALTER TABLE "Memory" ALTER COLUMN confidence SET DEFAULT 2'],
  ["a check", 'ALTER TABLE "Memory" ADD CHECK (confidence < 2)'],
  ["an index", 'CREATE INDEX ON "Memory" (confidence) WHERE confidence > 1'],
  ["a function", "CREATE FUNCTION one() RETURNS int LANGUAGE sql AS 'SELECT 1'"],
  [
    "a trigger",
    'CREATE TRIGGER again BEFORE DELETE ON "Memory" FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
  ],
  ["a value of an enum", `ALTER TYPE "MemorySource" ADD VALUE 'other'`],
])("shows %s that was added", async (_what, sql) => {
  await client.query("BEGIN");
  const before = await dumpSchema(client);
  await client.query(sql);
  expect(await dumpSchema(client)).not.toBe(before);
  await client.query("ROLLBACK");
});
