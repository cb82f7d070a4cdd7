import type { PoolClient } from "pg";
import type { Did } from "@/lib/protocol/did";
import type { Scope } from "@/lib/protocol/scope";
import { answerAccess } from "@/lib/rules/access";
import { loadFacts } from "../facts";

interface UndoneGrant {
  profile: { id: number; did: string };
  agentDid: Did;
  purposeType: string;
  at: Date;
  now: Date;
}

interface Taken {
  id: string;
  grantedScopes: Scope[];
  retention: string | null;
}

/**
 * Ends the receipts that an agent took under a grant, once the grant's rule is gone: those that no other rule
 * would give. Revoked ones end once more, so that undoing their revocation does not bring them back.
 */
export async function endTakenReceipts(
  client: PoolClient,
  { profile, agentDid, purposeType, at, now }: UndoneGrant,
): Promise<void> {
  const { rows } = await client.query<Taken>(
    `SELECT id, "grantedScopes", retention FROM "Receipt"
     WHERE "profileId" = $1 AND "agentDid" = $2 AND "purposeType" = $3 AND "grantedAt" >= $4
       AND "expiresAt" > $5`,
    [profile.id, agentDid, purposeType, at, now],
  );
  if (rows.length === 0) return;
  const caller = { kind: "agent", did: agentDid } as const;
  const { facts } = await loadFacts(client, { profileDid: profile.did, caller, now });
  const isStillGiven = ({ grantedScopes, retention }: Taken) => {
    if (facts === null) return false;
    const purpose = { type: purposeType, retention: retention ?? undefined };
    const answer = answerAccess({ ...facts, purpose }, grantedScopes);
    return answer.grantedScopes.length === grantedScopes.length;
  };
  const ended = rows.filter((receipt) => !isStillGiven(receipt)).map(({ id }) => id);
  await client.query(
    `UPDATE "Receipt" SET "revokedAt" = $3 WHERE "profileId" = $1 AND id = ANY ($2)`,
    [profile.id, ended, now],
  );
}
