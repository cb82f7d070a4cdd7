import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { notNow } from "@/lib/protocol/errors";

/** Rules of one profile that are switched on and have not ended. */
export const policiesMax = 200;
/** Scopes that those allow and deny in all: a decision weighs each of them. */
export const policyScopesMax = 1_000;
/** Rules of one profile in all. */
export const policyRowsMax = 1_000;

/**
 * The longest life of a rule that opens something without confirmation: a stolen session must not open more
 * than a day.
 */
export const briefMsMax = 24 * 60 * 60_000;

// Rules that have ended, and those that an unconfirmed session may have added.
const isPassing = (now: Date) => Prisma.sql`("expiresAt" <= ${now}
  OR "expiresAt" <= "createdAt" + ${briefMsMax} * interval '1 millisecond')`;

const isInForce = (now: Date) =>
  Prisma.sql`enabled AND ("expiresAt" IS NULL OR "expiresAt" > ${now})`;

interface Locked {
  profileId: number;
  now: Date;
}

/**
 * For verbs that add or enable a rule, afterwards and under the profile's lock: throws beyond the bounds, and
 * deletes disabled rules if there are too many.
 */
export async function keepBounds(tx: Tx, { profileId, now }: Locked): Promise<void> {
  const rows = await tx.$queryRaw<
    { rules: number; scopes: number }[]
  >`SELECT count(*)::int AS rules,
       coalesce(sum(cardinality(allow) + cardinality(deny)), 0)::int AS scopes
     FROM "Policy" WHERE "profileId" = ${profileId} AND ${isInForce(now)}`;
  const { rules = 0, scopes = 0 } = rows[0] ?? {};
  if (rules > policiesMax) throw tooMany(policiesMax);
  if (scopes > policyScopesMax) {
    throw notNow(
      `The rules that are switched on may name ${numeral(policyScopesMax)} categories in all, and these would name ${numeral(scopes)}. Name fewer, or switch off a rule that you no longer need.`,
    );
  }
  await keepRows(tx, { profileId, now });
}

/** Deletes rules that are not in force if there are too many: expired ones first, then the oldest. */
export async function keepRows(tx: Tx, { profileId, now }: Locked): Promise<void> {
  await tx.$executeRaw`DELETE FROM "Policy" WHERE id IN (
       SELECT id FROM "Policy" WHERE "profileId" = ${profileId} AND NOT (${isInForce(now)})
       ORDER BY ${isPassing(now)} IS TRUE, "updatedAt" DESC, id DESC
       OFFSET greatest(0, ${policyRowsMax} - (SELECT count(*) FROM "Policy" WHERE "profileId" = ${profileId} AND ${isInForce(now)})))`;
  if ((await tx.policy.count({ where: { profileId } })) > policyRowsMax) {
    throw tooMany(policyRowsMax);
  }
}

function tooMany(max: number) {
  return notNow(
    `A profile has at most ${numeral(max)} rules that are switched on. Switch off or remove one that you no longer need.`,
  );
}

function numeral(count: number): string {
  return count.toLocaleString("en");
}
