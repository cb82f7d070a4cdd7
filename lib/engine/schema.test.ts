import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import { Client } from "pg";
import { expect, test } from "vitest";
import { cloneDatabase, emptyDatabase } from "@/tests/support/database";

// On expressions, or of two kinds of column: Prisma has no word for those.
const undeclared = `'Memory_similar_idx', 'Memory_words_idx', 'Memory_nearest_idx', 'Memory_same_text_idx',
  'Proposal_similar_idx', 'Proposal_decided_idx', 'Proposal_nearest_idx', 'Proposal_rejected_text_idx', 'Proposal_pending_text_idx',
  'Proposal_decided_similar_idx', 'User_search_idx', 'Profile_search_idx', 'Agent_search_idx',
  'Agent_namesake_idx'`;

// Everything that Prisma knows about in a database, as text that can be compared.
const catalog = `
  SELECT 'column ' || table_name || '.' || column_name || ' ' || udt_name
      || coalesce('(' || character_maximum_length || ')', '')
      || coalesce('(' || datetime_precision || ')', '')
      || ' null ' || is_nullable || ' default ' || coalesce(column_default, 'none') AS line
    FROM information_schema.columns WHERE table_schema = 'public'
  UNION ALL
  SELECT 'index ' || indexdef FROM pg_indexes
    WHERE schemaname = 'public' AND indexname NOT IN (${undeclared})
  UNION ALL
  SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('p', 'u', 'f')
  UNION ALL
  SELECT 'enum ' || enumtypid::regtype || ' ' || enumsortorder || ' ' || enumlabel FROM pg_enum
  ORDER BY line`;

test("the migrations and schema.prisma say the same", async () => {
  const fromSchema = await emptyDatabase();
  await run(fromSchema, await scriptOf("prisma/schema.prisma", fromSchema));
  const declared = await run(fromSchema, catalog);
  const migrated = await run(await cloneDatabase(), catalog);
  expect(migrated.filter((line) => !line.includes("_prisma_migrations"))).toEqual(declared);
  expect(declared.length).toBeGreaterThan(200);
});

async function run(url: string, sql: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(sql);
    return rows?.map((row) => row.line) ?? [];
  } finally {
    await client.end();
  }
}

/** What `prisma migrate diff --from-empty --to-schema` prints, without the engine it would download. */
async function scriptOf(file: string, url: string): Promise<string> {
  const engine = await loadSchemaEngine(file, url);
  const { stdout } = await engine.diff({
    from: { tag: "empty" },
    to: { tag: "schemaDatamodel", files: [{ path: file, content: readFileSync(file, "utf8") }] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  });
  return stdout ?? "";
}

async function loadSchemaEngine(file: string, url: string): Promise<SchemaEngine> {
  const binding = createRequire(import.meta.url).resolve(
    "@prisma/schema-engine-wasm/schema_engine_bg",
  );
  const glue = await import(pathToFileURL(binding).href);
  const wasm = readFileSync(path.join(path.dirname(binding), "schema_engine_bg.wasm"));
  const imports = { "./schema_engine_bg.js": glue };
  const { instance } = await WebAssembly.instantiate(wasm, imports);
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(url));
  const datamodels = [[file, readFileSync(file, "utf8")]];
  return glue.SchemaEngine.new({ datamodels }, () => {}, adapter);
}
