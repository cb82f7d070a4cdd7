import type { Db } from "@/lib/engine/db";
import type { Did } from "@/lib/protocol/did";

/** The profile that an agent's own access request or proposal is about. */
export async function findRequestProfile(
  db: Db,
  { id, agentDid }: { id: string; agentDid: Did },
): Promise<{ profileId: number; did: Did } | null> {
  const [row] = await db.$queryRaw<{ profileId: number; did: Did }[]>`
    SELECT p.id AS "profileId", p.did FROM "Profile" p WHERE p.id = coalesce(
      (SELECT "profileId" FROM "ConsentRequest" WHERE id = ${id} AND "agentDid" = ${agentDid}),
      (SELECT "profileId" FROM "Proposal" WHERE id = ${id} AND "agentDid" = ${agentDid}))`;
  return row ?? null;
}
