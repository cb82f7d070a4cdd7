import type { PoolClient } from "pg";

const profilesMax = 100;

/** What was recorded while its profile was being erased: nobody is left who could read it. */
export async function eraseLateEvents(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ profileId: number }>(
    `SELECT DISTINCT e."profileId" FROM "AccessEvent" e
     WHERE e.hash IS NULL AND NOT EXISTS (SELECT FROM "Profile" p WHERE p.id = e."profileId")
     LIMIT $1`,
    [profilesMax],
  );
  for (const { profileId } of rows) {
    await client.query("SELECT set_config('gateway.erasing', $1, true)", [String(profileId)]);
    await client.query(`DELETE FROM "AccessEvent" WHERE "profileId" = $1 AND hash IS NULL`, [
      profileId,
    ]);
  }
}
