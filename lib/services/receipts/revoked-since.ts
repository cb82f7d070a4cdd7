import type { Tx } from "@/lib/engine/db";
import { overlaps, type Scope } from "@/lib/protocol/scope";

interface Opening {
  /** Empty is any purpose. */
  purposes: readonly string[];
  allow: readonly Scope[];
}

interface Since {
  profileId: number;
  agentDid: string | null;
  since: Date;
  /** The change that is being undone: a revocation does not outdo itself. */
  eventId?: string;
}

/**
 * Returns whether the owner has revoked a receipt of the agent since, and not undone that, for something that one of
 * these grants or receipts would open again. Part of a transaction that has locked the profile.
 */
export async function isRevokedSince(
  tx: Tx,
  { profileId, agentDid, since, eventId }: Since,
  openings: readonly Opening[],
): Promise<boolean> {
  const rows = await tx.$queryRaw<
    { purposeType: string; grantedScopes: Scope[] }[]
  >`SELECT r."purposeType", r."grantedScopes" FROM "AccessEvent" e
     JOIN "Receipt" r ON r.id = e."receiptId" AND r."profileId" = e."profileId"
     WHERE e."profileId" = ${profileId} AND e.at >= ${since} AND e.verb = 'revokeReceipt' AND e.outcome = 'ok'
       AND e.id IS DISTINCT FROM ${eventId ?? null} AND r."agentDid" = ${agentDid} AND r."revokedAt" IS NOT NULL`;
  return rows.some(({ purposeType, grantedScopes }) =>
    openings.some(
      ({ purposes, allow }) =>
        (purposes.length === 0 || purposes.includes(purposeType)) &&
        allow.some((scope) => grantedScopes.some((granted) => overlaps(scope, granted))),
    ),
  );
}
