import type { Client } from "pg";

const batch = 2_000;

export type Row = Record<string, unknown>;

/** Many rows in few statements. Only for names of tables and columns that are written in the code. */
export async function insertRows(client: Client, table: string, rows: Row[]): Promise<void> {
  for (let from = 0; from < rows.length; from += batch) {
    // PostgreSQL itself turns the members into the table's types.
    const part = JSON.stringify(rows.slice(from, from + batch));
    const columns = Object.keys(rows[0] ?? {}).map((name) => `"${name}"`);
    await client.query(
      `INSERT INTO "${table}" (${columns}) SELECT ${columns}
       FROM jsonb_populate_recordset(NULL::"${table}", $1::jsonb)`,
      [part],
    );
  }
}

/** Ids in the form of the gateway's own, and the same ones at each run. */
export function numberedId(prefix: string, number: number): string {
  return `${prefix}_bench${String(number).padStart(17, "0")}`;
}

export function bytea(bytes: Buffer): string {
  return `\\x${bytes.toString("hex")}`;
}
