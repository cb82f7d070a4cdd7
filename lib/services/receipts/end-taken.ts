import type { Tx } from "@/lib/engine/db";
import type { Did } from "@/lib/protocol/did";
import { answerAccess } from "@/lib/rules/access";
import { loadFacts } from "../facts";

interface UndoneGrant {
  profile: { id: number; did: string };
  agentDid: Did;
  purposeType: string;
  at: Date;
  now: Date;
}

/**
 * Ends receipts taken under a grant whose rule is gone, unless another rule gives them. Revoked ones end too,
 * so that undoing their revocation does not restore them. Returns their ids.
 */
export async function endTakenReceipts(
  tx: Tx,
  { profile, agentDid, purposeType, at, now }: UndoneGrant,
): Promise<string[]> {
  const rows = await tx.receipt.findMany({
    where: {
      profileId: profile.id,
      agentDid,
      purposeType,
      grantedAt: { gte: at },
      expiresAt: { gt: now },
    },
    select: { id: true, grantedScopes: true, retention: true },
  });
  if (rows.length === 0) return [];
  const caller = { kind: "agent", did: agentDid } as const;
  const { facts } = await loadFacts(tx, { profileDid: profile.did, caller, now });
  const isStillGiven = ({ grantedScopes, retention }: (typeof rows)[number]) => {
    if (facts === null) return false;
    const purpose = { type: purposeType, retention: retention ?? undefined };
    const answer = answerAccess({ ...facts, purpose }, grantedScopes);
    return answer.grantedScopes.length === grantedScopes.length;
  };
  const ended = rows.filter((receipt) => !isStillGiven(receipt)).map(({ id }) => id);
  await tx.receipt.updateMany({
    where: { id: { in: ended }, profileId: profile.id },
    data: { revokedAt: now },
  });
  return ended;
}
