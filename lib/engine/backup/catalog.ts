import type { ClientBase } from "pg";
import { Prisma } from "../prisma-client/client";
import { BackupRefused } from "./refused";

// What the catalog says about our tables. Statements are written by PostgreSQL, which quotes their names.

export interface RootTable {
  name: string;
  columns: string[];
  copyOut: string;
}

// The table of migrations is written by migrations, and those of extensions by them.
const roots = `
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relname <> '_prisma_migrations'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/**
 * Returns the tables, but no partitions: those differ between installations. Generated columns are computed again, and
 * an xid8, which means nothing in another cluster, gets its default again.
 */
export async function listTables(client: ClientBase): Promise<RootTable[]> {
  const { rows } = await client.query<RootTable>(
    `SELECT t.name, t.columns,
       format('COPY (SELECT %s FROM %s) TO STDOUT', t.list, t.oid::regclass) AS "copyOut"
     FROM (SELECT c.oid, c.relname::text AS name,
             array_agg(a.attname::text ORDER BY a.attnum) AS columns,
             string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS list
           FROM (SELECT c.oid, c.relname ${roots}) c JOIN pg_attribute a ON a.attrelid = c.oid
           WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.atttypid <> 'xid8'::regtype
           GROUP BY c.oid, c.relname) t
     ORDER BY t.name`,
  );
  return rows;
}

/** Throws where `public` has a relation that is not the gateway's: a backup with it fits no schema of migrations. */
export async function refuseOthersTables(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
       AND NOT c.relispartition AND c.relname <> ALL ($1)
       AND NOT EXISTS (SELECT FROM pg_depend d
         WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype IN ('e', 'a', 'i'))
     ORDER BY 1 LIMIT 1`,
    [["_prisma_migrations", ...Object.values(Prisma.ModelName)]],
  );
  if (rows[0] === undefined) return;
  throw new BackupRefused(
    `The schema public has ${rows[0].name}, which is not the gateway's and which a restore would lose: move it to another database.`,
  );
}

/** Returns the statement that locks all of them, so that none is emptied or changed while they are read. */
export function lockTables(client: ClientBase): Promise<string[]> {
  return statements(
    client,
    `SELECT format('LOCK TABLE %s IN ACCESS SHARE MODE', string_agg(c.oid::regclass::text, ', ' ORDER BY c.relname))
     AS sql ${roots} HAVING count(*) > 0`,
  );
}

export async function copyInto(client: ClientBase, name: string, columns: string[]) {
  const [sql = ""] = await statements(
    client,
    `SELECT format('COPY %I (%s) FROM STDIN', $1::text, (SELECT string_agg(quote_ident(name), ', ' ORDER BY place)
       FROM unnest($2::text[]) WITH ORDINALITY AS u (name, place))) AS sql`,
    [name, columns],
  );
  return sql;
}

export interface Sequence {
  name: string;
  value: string;
  isCalled: boolean;
}

export async function readSequences(client: ClientBase): Promise<Sequence[]> {
  const queries = await statements(
    client,
    `SELECT format('SELECT %L AS name, last_value::text AS value, is_called AS "isCalled" FROM %s', c.relname, c.oid::regclass) AS sql
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S' ORDER BY c.relname`,
  );
  const sequences: Sequence[] = [];
  for (const sql of queries) sequences.push(...(await client.query<Sequence>(sql)).rows);
  return sequences;
}

export async function writeSequences(client: ClientBase, sequences: Sequence[]): Promise<void> {
  for (const { name, value, isCalled } of sequences) {
    await client.query("SELECT setval(quote_ident($1)::regclass, $2::bigint, $3)", [
      name,
      value,
      isCalled,
    ]);
  }
}

/** Statements that take something away before rows are written, and that put it back afterwards. */
export interface Aside {
  away: string[];
  back: string[];
}

/** Foreign keys would ask for an order of tables, and cycles have none. Put back, they check every row. */
export function foreignKeys(client: ClientBase): Promise<Aside> {
  return aside(
    client,
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', k.conrelid::regclass, k.conname) AS away,
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', k.conrelid::regclass, k.conname, pg_get_constraintdef(k.oid)) AS back
     FROM pg_constraint k
     WHERE k.connamespace = 'public'::regnamespace AND k.contype = 'f' AND k.conparentid = 0 ORDER BY k.conname`,
  );
}

/** Only a superuser may disable the system's triggers; the owner's own ones are enough. */
export function userTriggers(client: ClientBase): Promise<Aside> {
  return aside(
    client,
    `SELECT format('ALTER TABLE %s DISABLE TRIGGER USER', c.oid::regclass) AS away,
       format('ALTER TABLE %s ENABLE TRIGGER USER', c.oid::regclass) AS back ${roots} ORDER BY c.relname`,
  );
}

/** Building an index at once is faster than row by row. Those of constraints and of partitions stay. */
export function plainIndexes(client: ClientBase): Promise<Aside> {
  return aside(
    client,
    `SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS away,
       replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS back
     FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
     WHERE NOT x.relispartition AND i.indrelid IN (SELECT c.oid ${roots})
       AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
     ORDER BY x.relname`,
  );
}

/** Returns the statements that empty the tables. */
export function emptyTables(client: ClientBase): Promise<string[]> {
  return statements(
    client,
    `SELECT format('DELETE FROM %s', c.oid::regclass) AS sql ${roots} ORDER BY c.relname`,
  );
}

async function statements(client: ClientBase, text: string, values: unknown[] = []) {
  const { rows } = await client.query<{ sql: string }>(text, values);
  return rows.map(({ sql }) => sql);
}

async function aside(client: ClientBase, text: string): Promise<Aside> {
  const { rows } = await client.query<{ away: string; back: string }>(text);
  return { away: rows.map(({ away }) => away), back: rows.map(({ back }) => back) };
}
