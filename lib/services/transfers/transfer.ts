import type { Db, Tx } from "@/lib/engine/db";
import type { ProfileState } from "@/lib/engine/prisma-client/enums";
import type { Did } from "@/lib/protocol/did";
import { notFound } from "@/lib/protocol/errors";

const dayMs = 24 * 60 * 60_000;

/** How long a transfer waits for the present owner. */
export const transferWaitMs = 7 * dayMs;

/** The present owner and the new one. */
export interface Parties {
  fromUserId: string;
  toUserId: string;
}

/** Names the transfer: a profile has one at a time, and a newer one may have replaced it. */
export interface Requested extends Parties {
  createdAt: Date;
}

export interface Transfer extends Requested {
  profile: { id: number; did: Did; ownerId: string; state: ProfileState };
  effectiveAt: Date;
  acceptedByOwnerAt: Date | null;
  acceptedByNewAt: Date | null;
  ownerIsSuspended: boolean;
}

/** Finds the accounts that a change of the transfer has to lock first. */
export async function findParties(db: Db, did: string): Promise<Requested> {
  const rows = await db.$queryRaw<
    Requested[]
  >`SELECT t."fromUserId", t."toUserId", t."createdAt" FROM "Transfer" t JOIN "Profile" p ON p.id = t."profileId"
     WHERE p.did = ${did}`;
  const [requested] = rows;
  if (requested === undefined) throw notFound("transfer");
  return requested;
}

/** Locks the profile, then its transfer, in a transaction that has locked these accounts. */
export async function lockTransfer(
  tx: Tx,
  { did, fromUserId, toUserId, createdAt }: Requested & { did: string },
): Promise<Transfer> {
  const profiles = await tx.$queryRaw<
    Transfer["profile"][]
  >`SELECT id, did, "ownerId", state FROM "Profile" WHERE did = ${did} FOR NO KEY UPDATE`;
  const [profile] = profiles;
  if (profile === undefined) throw notFound("profile");
  const rows = await tx.$queryRaw<
    Omit<Transfer, "profile">[]
  >`SELECT "fromUserId", "toUserId", "createdAt", "effectiveAt", "acceptedByOwnerAt", "acceptedByNewAt",
       (SELECT u.state = 'suspended' FROM "User" u WHERE u.id = "fromUserId") AS "ownerIsSuspended"
     FROM "Transfer" WHERE "profileId" = ${profile.id} AND "fromUserId" = ${fromUserId} AND "toUserId" = ${toUserId} AND "createdAt" = ${createdAt}
     FOR UPDATE`;
  const [transfer] = rows;
  if (transfer === undefined) throw notFound("transfer");
  return { ...transfer, profile };
}
