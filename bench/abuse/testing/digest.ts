import type { Pool } from "pg";

// That an admin has read the log of admins stands in it.
const read = '"verb": "exportAdminActivity"';

// Tables that count requests or keep what was refused, and when somebody was here last.
const without = "^(Rate|Nonce|AccessEvent|AgentDay|Seal|Job|_)";
const seen = ["lastUsedAt", "lastSeenAt", "visitedAt", "visitedBefore"];

/** Everything that is stored, as text: two that are equal say that nothing has changed. */
export async function digest(pool: Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_name !~ $1 ORDER BY 1`,
    [without],
  );
  const parts: string[] = [];
  for (const { name } of rows) {
    const { rows: texts } = await pool.query<{ text: string }>(
      `SELECT (to_jsonb(t) - $1::text[])::text AS text FROM "${name}" t ORDER BY 1`,
      [seen],
    );
    parts.push(name, ...texts.map(({ text }) => text).filter((text) => !text.includes(read)));
  }
  return parts.join("\n");
}
