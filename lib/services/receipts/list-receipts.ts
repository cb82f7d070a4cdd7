import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Scope } from "@/lib/protocol/scope";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { pageOf } from "../page";
import { withProfile } from "../profile-gate";

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

export interface ReceiptsQuery {
  did: string;
  state?: ReceiptState;
  /** The last line of the page before. */
  after?: { grantedAt: Date; id: string };
  limit: number;
}

/** Newest first. */
export async function listReceipts(
  ctx: Ctx,
  { did, state, after, limit }: ReceiptsQuery,
): Promise<{ receipts: ReceiptLine[]; hasMore: boolean }> {
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const isInState = state ? Prisma.sql`${stateAt(ctx.now)} = ${state}` : Prisma.sql`true`;
    const isAfter = after
      ? Prisma.sql`(r."grantedAt", r.id) < (${after.grantedAt}, ${after.id})`
      : Prisma.sql`true`;
    // Few of many may be in the requested state.
    const list = () =>
      ctx.db.$queryRaw<
        ReceiptLine[]
      >`SELECT r.id, ${namedAgent("r")} AS agent, r."grantedScopes", r."deniedScopes",
               r."purposeType", r.retention, r."grantedAt", r."expiresAt", r."revokedAt",
               ${stateAt(ctx.now)} AS state
             FROM "Receipt" r LEFT JOIN "Agent" a ON a.did = r."agentDid"
             WHERE r."profileId" = ${profile.id} AND ${isInState}
               AND ${isAfter}
             ORDER BY r."grantedAt" DESC, r.id DESC LIMIT ${limit + 1}`;
    const rows = await (state === undefined ? list() : ctx.shares.heavy(profile.ownerId, list));
    const { page, last } = pageOf(rows, { limit });
    return { receipts: page, hasMore: last !== undefined };
  });
}

const stateAt = (now: Date) => Prisma.sql`
  CASE WHEN r."revokedAt" IS NOT NULL THEN 'revoked'
       WHEN r."expiresAt" <= ${now} THEN 'expired' ELSE 'active' END`;
