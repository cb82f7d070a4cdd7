import type { Tx } from "@/lib/engine/db";

const eventsMax = 500;

/**
 * What was recorded while its profile was being erased: nobody is left who could read it. Looked for among
 * the oldest that are not sealed, once the others are: there it stays until it is found.
 */
export async function eraseLateEvents(tx: Tx): Promise<void> {
  const rows = await tx.$queryRaw<{ profileId: number }[]>`SELECT DISTINCT e."profileId" FROM (
       SELECT "profileId" FROM "AccessEvent" WHERE hash IS NULL ORDER BY at, id LIMIT ${eventsMax}) e
     WHERE NOT EXISTS (SELECT FROM "Profile" p WHERE p.id = e."profileId")`;
  for (const { profileId } of rows) {
    await tx.$executeRaw`SELECT set_config('gateway.erasing', ${String(profileId)}, true)`;
    await tx.accessEvent.deleteMany({ where: { profileId, hash: null } });
  }
}
