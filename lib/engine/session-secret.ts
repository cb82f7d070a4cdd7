import type { Pool } from "pg";
import { type Env, publishEnv } from "./env";
import { randomBase62 } from "./random";

/** Gives next-auth the secret of the configuration; else the one that is kept in the database. */
export async function publishSessionSecret(env: Env, pool: Pool): Promise<void> {
  publishEnv({ NEXTAUTH_SECRET: env.NEXTAUTH_SECRET ?? (await sessionSecret(pool)) });
}

// Made once and kept beside the data it protects, so that every instance has the same one.
async function sessionSecret(pool: Pool): Promise<string> {
  await pool.query(
    `INSERT INTO "Setting" (key, value, "updatedAt") VALUES ('session.secret', to_jsonb($1::text), now())
     ON CONFLICT DO NOTHING`,
    [randomBase62(43)],
  );
  const { rows } = await pool.query<{ value: string }>(
    `SELECT value #>> '{}' AS value FROM "Setting" WHERE key = 'session.secret'`,
  );
  const secret = rows[0]?.value;
  if (secret === undefined) throw new Error("the session secret was not stored");
  return secret;
}
