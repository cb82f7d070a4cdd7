import type { Scope } from "@/lib/protocol/scope";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { onProfile } from "../open-profile";
import { pageOf } from "../page";

export type ReceiptState = "active" | "expired" | "revoked";

export interface ReceiptLine {
  id: string;
  agent: NamedAgent;
  grantedScopes: Scope[];
  deniedScopes: Scope[];
  purposeType: string;
  retention: string | null;
  state: ReceiptState;
  grantedAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
}

export interface ReceiptsAsked {
  did: string;
  state?: ReceiptState;
  /** The place after which to go on: the last line of the page before. */
  after?: { grantedAt: Date; id: string };
  limit: number;
}

/** Newest first. */
export async function listReceipts(
  ctx: Ctx,
  { did, state, after, limit }: ReceiptsAsked,
): Promise<{ receipts: ReceiptLine[]; hasMore: boolean }> {
  return onProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    // Of many, few may be in the state that is asked for.
    const list = () =>
      ctx.pool.query<ReceiptLine>({
        name: "list-receipts",
        text: `SELECT r.id, ${namedAgent("r")} AS agent, r."grantedScopes", r."deniedScopes",
               r."purposeType", r.retention, r."grantedAt", r."expiresAt", r."revokedAt",
               ${stateOf} AS state
             FROM "Receipt" r LEFT JOIN "Agent" a ON a.did = r."agentDid"
             WHERE r."profileId" = $1 AND ($3::text IS NULL OR ${stateOf} = $3)
               AND ($4::timestamptz IS NULL OR (r."grantedAt", r.id) < ($4, $5))
             ORDER BY r."grantedAt" DESC, r.id DESC LIMIT $6`,
        values: [profile.id, ctx.now, state, after?.grantedAt, after?.id, limit + 1],
      });
    const { rows } = await (state === undefined ? list() : ctx.shares.heavy(profile.ownerId, list));
    const { page, last } = pageOf(rows, { limit });
    return { receipts: page, hasMore: last !== undefined };
  });
}

const stateOf = `
  CASE WHEN r."revokedAt" IS NOT NULL THEN 'revoked'
       WHEN r."expiresAt" <= $2 THEN 'expired' ELSE 'active' END`;
