import { Prisma } from "@/lib/engine/prisma-client/client";
import { forbidden } from "@/lib/protocol/errors";
import type { Ctx } from "../context";

export interface Holdings {
  namedValues: number;
  memories: number;
  proposals: number;
  policies: number;
  receipts: number;
  tokens: number;
  keys: number;
  events: number;
}

/** Counts what deleting each of the caller's profiles would remove, suspended ones included. */
export async function countHoldings({
  db,
  caller,
  shares,
}: Ctx): Promise<(Holdings & { did: string })[]> {
  if (caller.kind !== "person") throw forbidden();
  const { userId } = caller;
  return shares.heavy(userId, () =>
    db.$queryRaw<(Holdings & { did: string })[]>(countedOf(userId)),
  );
}

const countedOf = (userId: string) => Prisma.sql`SELECT p.did,
    (SELECT count(*)::int FROM "NamedValue" WHERE "profileId" = p.id) AS "namedValues",
    (SELECT count(*)::int FROM "Memory" WHERE "profileId" = p.id) AS memories,
    (SELECT count(*)::int FROM "Proposal" WHERE "profileId" = p.id) AS proposals,
    (SELECT count(*)::int FROM "Policy" WHERE "profileId" = p.id) AS policies,
    (SELECT count(*)::int FROM "Receipt" WHERE "profileId" = p.id) AS receipts,
    (SELECT count(*)::int FROM "ConnectionToken" WHERE "profileId" = p.id) AS tokens,
    (SELECT count(*)::int FROM "Key" WHERE did = p.did) AS keys,
    (SELECT count(*)::int FROM "AccessEvent" WHERE "profileId" = p.id) AS events
  FROM "Profile" p WHERE p."ownerId" = ${userId} ORDER BY p.id`;
