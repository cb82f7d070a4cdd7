import type { Pool } from "pg";

interface Besides {
  /** Tables whose names begin like this. */
  tables: string;
  columns: string[];
}

// What counts requests or keeps what was refused, when somebody was here last, and what a job holds apart.
const passing: Besides = {
  tables: "^(Rate|Nonce|AccessEvent|AgentDay|Seal|Job|_)",
  columns: ["lastUsedAt", "lastSeenAt", "visitedAt", "visitedBefore", "heldAt"],
};
// What the gateway does by itself with the access log, too, and what tells of a change beside it.
const counting: Besides = {
  tables: "^(Rate|Nonce|AgentDay|Seal|Job|_)",
  columns: [...passing.columns, "hash", "position", "revision", "seq", "xid"],
};

// That an admin has read the log of admins stands in it.
const read = '"verb": "exportAdminActivity"';

/** Everything that is stored, as text: two that are equal say that nothing has changed. */
export async function digest(pool: Pool): Promise<string> {
  const rows = await rowsOf(pool, passing);
  return rows.filter((row) => !row.includes(read)).join("\n");
}

/** Which rows went and came while this was done, with what stands in the access log. */
export async function changesBy(
  pool: Pool,
  act: () => Promise<unknown>,
): Promise<{ went: string[]; came: string[] }> {
  const before = new Set(await rowsOf(pool, counting));
  await act();
  const after = new Set(await rowsOf(pool, counting));
  return {
    went: [...before].filter((row) => !after.has(row)),
    came: [...after].filter((row) => !before.has(row)),
  };
}

async function rowsOf(pool: Pool, besides: Besides): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
       AND relname !~ $1 ORDER BY 1`,
    [besides.tables],
  );
  const each = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, (to_jsonb(t) - $1::text[])::text AS text FROM "${name}" t`,
  );
  const { rows } = await pool.query<{ name: string; text: string }>(
    `${each.join(" UNION ALL ")} ORDER BY 1, 2`,
    [besides.columns],
  );
  return rows.map(({ name, text }) => `${name} ${text}`);
}
