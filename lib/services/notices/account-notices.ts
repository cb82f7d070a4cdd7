import type { Did } from "@/lib/protocol/did";
import { forbidden } from "@/lib/protocol/errors";
import { profilesPerUserMax } from "../accounts/new-profile";
import { withAuthority } from "../authority";
import type { Ctx } from "../context";

/** What every page of an account shows until its user has answered it. */
export interface AccountNotices {
  transfers: TransferNotice[];
  /** When an admin last made a link to a new password. */
  resetLinkMadeAt: Date | null;
}

export interface TransferNotice {
  did: Did;
  /** Whether the profile goes from this account; else it goes to it. */
  isOwner: boolean;
  /** The e-mail address of the account that it goes to. */
  email: string;
  requestedAt: Date;
  effectiveAt: Date;
  acceptedByOwner: boolean;
  acceptedByNew: boolean;
  /** The present owner has not accepted, and cannot answer: their account is suspended. */
  waitsForOwner: boolean;
}

// Of one's own profiles all; of those that are offered as many as an account can have.
const transfersMax = 2 * profilesPerUserMax;

/** Loads what an admin did about the caller's account that its user has to know of. */
export async function loadNotices({ pool, caller }: Ctx): Promise<AccountNotices> {
  if (caller.kind !== "person") throw forbidden();
  const { rows } = await pool.query<{ resetLinkMadeAt: Date | null }>(
    `SELECT "resetLinkMadeAt" FROM "User" WHERE id = $1`,
    [caller.userId],
  );
  const { rows: transfers } = await pool.query<TransferNotice>(
    `SELECT p.did, u.email, t."createdAt" AS "requestedAt", t."effectiveAt", t."fromUserId" = $1 AS "isOwner",
       t."acceptedByOwnerAt" IS NOT NULL AS "acceptedByOwner",
       t."acceptedByNewAt" IS NOT NULL AS "acceptedByNew",
       t."acceptedByOwnerAt" IS NULL AND f.state = 'suspended' AS "waitsForOwner"
     FROM "Transfer" t JOIN "Profile" p ON p.id = t."profileId" JOIN "User" u ON u.id = t."toUserId"
       JOIN "User" f ON f.id = t."fromUserId"
     WHERE t."fromUserId" = $1 OR t."toUserId" = $1
     ORDER BY t."fromUserId" = $1 DESC, t."createdAt", t."profileId" LIMIT $2`,
    [caller.userId, transfersMax],
  );
  return { transfers, resetLinkMadeAt: rows[0]?.resetLinkMadeAt ?? null };
}

/** Dismisses the notice of a reset link, unless another one was made since it was shown. */
export async function dismissResetLink(ctx: Ctx, madeAt: Date): Promise<void> {
  const { caller } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId } = caller;
  await withAuthority(ctx, { users: [userId] }, (client) =>
    client.query(
      `UPDATE "User" SET "resetLinkMadeAt" = NULL WHERE id = $1 AND "resetLinkMadeAt" = $2`,
      [userId, madeAt],
    ),
  );
}
