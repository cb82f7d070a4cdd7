import type { PoolClient } from "pg";

const eventsMax = 500;

/**
 * What was recorded while its profile was being erased: nobody is left who could read it. Looked for among
 * the oldest that are not sealed, once the others are: there it stays until it is found.
 */
export async function eraseLateEvents(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ profileId: number }>(
    `SELECT DISTINCT e."profileId" FROM (
       SELECT "profileId" FROM "AccessEvent" WHERE hash IS NULL ORDER BY at, id LIMIT $1) e
     WHERE NOT EXISTS (SELECT FROM "Profile" p WHERE p.id = e."profileId")`,
    [eventsMax],
  );
  for (const { profileId } of rows) {
    await client.query("SELECT set_config('gateway.erasing', $1, true)", [String(profileId)]);
    await client.query(`DELETE FROM "AccessEvent" WHERE "profileId" = $1 AND hash IS NULL`, [
      profileId,
    ]);
  }
}
