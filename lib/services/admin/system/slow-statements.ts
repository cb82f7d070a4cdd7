import { type Db, inTransaction } from "@/lib/engine/db";
import type { Ctx } from "../../context";

export interface SlowStatements {
  /** Whether PostgreSQL counts statements, or what it lacks: the library, or the extension here. */
  counted: "yes" | "not loaded" | "no extension";
  /** The gateway's own, slowest first. */
  statements: { statement: string; calls: number; meanMs: number; totalMs: number }[];
}

const listedMax = 20;
const lengthMax = 300;

/** Returns the slowest statements on average: their form, never a value. */
export async function slowStatements({ db }: Ctx): Promise<SlowStatements> {
  const found = await findExtension(db);
  if (!found.loaded) return { counted: "not loaded", statements: [] };
  if (found.schema === null) return { counted: "no extension", statements: [] };
  const { schema } = found;
  const rows = await inTransaction(db, async (tx) => {
    // The extension may lie in any schema.
    await tx.$executeRaw`SELECT set_config('search_path', quote_ident(${schema}), true)`;
    return tx.$queryRaw<Row[]>`
      SELECT left(query, 4000) AS statement, calls::text, mean_exec_time AS "meanMs", total_exec_time AS "totalMs"
      FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND userid = (SELECT oid FROM pg_roles WHERE rolname = current_user)
      ORDER BY mean_exec_time DESC LIMIT ${listedMax}`;
  });
  const statements = rows.map(({ statement, calls, meanMs, totalMs }) => {
    return { statement: withoutValues(statement), calls: Number(calls), meanMs, totalMs };
  });
  return { counted: "yes", statements };
}

interface Row {
  statement: string;
  calls: string;
  meanMs: number;
  totalMs: number;
}

// Only a superuser may read which libraries are loaded; a setting of this one's is there when it is.
async function findExtension(db: Db): Promise<{ loaded: boolean; schema: string | null }> {
  const rows = await db.$queryRaw<
    { loaded: boolean; schema: string | null }[]
  >`SELECT EXISTS (SELECT FROM pg_settings WHERE name = 'pg_stat_statements.max') AS loaded,
       (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
        WHERE e.extname = 'pg_stat_statements') AS schema`;
  return rows[0] ?? { loaded: false, schema: null };
}

const values = /'(?:[^']|'')*(?:'|$)|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|(?<![\w$"])\d[\d.]*/g;

// PostgreSQL puts $1 for a value, but keeps the text as it came where it had to forget that form.
export function withoutValues(statement: string): string {
  const plain = statement.replaceAll(values, "?").replaceAll(/\s+/g, " ").trim();
  return plain.length > lengthMax ? `${plain.slice(0, lengthMax)}…` : plain;
}
