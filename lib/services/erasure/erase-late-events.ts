import type { Tx } from "@/lib/engine/db";

const eventsMax = 500;

/**
 * Erases events recorded while their profile was being erased. They are searched for among the oldest unsealed
 * events, once all others are sealed.
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
