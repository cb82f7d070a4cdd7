import type { Did } from "@/lib/protocol/did";
import { forbidden } from "@/lib/protocol/errors";
import { profilesPerUserMax } from "../accounts/new-profile";
import { withAuthority } from "../authority";
import type { Ctx } from "../context";

/** Notices on every page of an account until its user answers them. */
export interface AccountNotices {
  transfers: TransferNotice[];
  /** When an admin last made a link to a new password. */
  resetLinkMadeAt: Date | null;
  /** How many invitations to review for others wait. */
  invitations: number;
}

export interface TransferNotice {
  did: Did;
  /** Whether the profile leaves this account; otherwise it comes to it. */
  isOwner: boolean;
  /** The address of the receiving account. */
  email: string;
  requestedAt: Date;
  effectiveAt: Date;
  acceptedByOwner: boolean;
  acceptedByNew: boolean;
  /** The present owner has not accepted, and cannot answer: their account is suspended. */
  waitsForOwner: boolean;
}

// All of the user's own profiles, and as many offered ones as an account can hold.
const transfersMax = 2 * profilesPerUserMax;

/** Loads admins' actions on the caller's account that the user has to know about. */
export async function loadNotices({ db, caller, now }: Ctx): Promise<AccountNotices> {
  if (caller.kind !== "person") throw forbidden();
  const user = await db.user.findUnique({
    where: { id: caller.userId },
    select: {
      resetLinkMadeAt: true,
      _count: {
        select: {
          reviewing: {
            where: {
              acceptedAt: null,
              endedAt: null,
              expiresAt: { gt: now },
              profile: { state: "active" },
            },
          },
        },
      },
    },
  });
  const transfers = await db.$queryRaw<
    TransferNotice[]
  >`SELECT p.did, u.email, t."createdAt" AS "requestedAt", t."effectiveAt", t."fromUserId" = ${caller.userId} AS "isOwner",
       t."acceptedByOwnerAt" IS NOT NULL AS "acceptedByOwner",
       t."acceptedByNewAt" IS NOT NULL AS "acceptedByNew",
       t."acceptedByOwnerAt" IS NULL AND f.state = 'suspended' AS "waitsForOwner"
     FROM "Transfer" t JOIN "Profile" p ON p.id = t."profileId" JOIN "User" u ON u.id = t."toUserId"
       JOIN "User" f ON f.id = t."fromUserId"
     WHERE t."fromUserId" = ${caller.userId} OR t."toUserId" = ${caller.userId}
     ORDER BY t."fromUserId" = ${caller.userId} DESC, t."createdAt", t."profileId" LIMIT ${transfersMax}`;
  return {
    ...{ transfers, resetLinkMadeAt: user?.resetLinkMadeAt ?? null },
    invitations: user?._count.reviewing ?? 0,
  };
}

/** Dismisses the notice of a reset link, unless another one was made since it was shown. */
export async function dismissResetLink(ctx: Ctx, madeAt: Date): Promise<void> {
  const { caller } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId } = caller;
  await withAuthority(ctx, { users: [userId] }, (tx) =>
    tx.user.updateMany({
      where: { id: userId, resetLinkMadeAt: madeAt },
      data: { resetLinkMadeAt: null },
    }),
  );
}
