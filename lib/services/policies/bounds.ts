import type { PoolClient } from "pg";
import { notNow } from "@/lib/protocol/errors";

/** Rules of one profile that are switched on and have not ended. */
export const policiesMax = 200;
/** Scopes that those allow and deny in all: a decision weighs each of them. */
export const policyScopesMax = 1_000;
/** Rules of one profile in all. */
export const policyRowsMax = 1_000;

/** What a stolen session opens must end with the day: only for so long may a rule open something unconfirmed. */
export const briefMsMax = 24 * 60 * 60_000;

// What has ended, and what a session that was not confirmed may have added.
const isPassing = `("expiresAt" <= $2 OR "expiresAt" <= "createdAt" + $4 * interval '1 millisecond')`;

const inForce = `enabled AND ("expiresAt" IS NULL OR "expiresAt" > $2)`;

interface Locked {
  profileId: number;
  now: Date;
}

/**
 * For verbs that add a rule or switch one on, after the change and under the profile's lock: throws what is too
 * much, and deletes rules that are not in force where there are too many rows.
 */
export async function keepBounds(client: PoolClient, { profileId, now }: Locked): Promise<void> {
  const { rows } = await client.query<{ rules: number; scopes: number }>(
    `SELECT count(*)::int AS rules,
       coalesce(sum(cardinality(allow) + cardinality(deny)), 0)::int AS scopes
     FROM "Policy" WHERE "profileId" = $1 AND ${inForce}`,
    [profileId, now],
  );
  const { rules = 0, scopes = 0 } = rows[0] ?? {};
  if (rules > policiesMax) {
    throw notNow(
      `A profile has at most ${policiesMax} rules that are switched on. Switch off or remove one that you no longer need.`,
    );
  }
  if (scopes > policyScopesMax) {
    throw notNow(
      `The rules that are switched on may name ${numeral(policyScopesMax)} categories in all, and these would name ${numeral(scopes)}. Name fewer, or switch off a rule that you no longer need.`,
    );
  }
  await dropRulesOutOfForce(client, { profileId, now });
}

/** Deletes rules that are not in force where there are too many rows: first the passing ones, then the oldest. */
export async function dropRulesOutOfForce(
  client: PoolClient,
  { profileId, now }: Locked,
): Promise<void> {
  await client.query(
    `DELETE FROM "Policy" WHERE id IN (
       SELECT id FROM "Policy" WHERE "profileId" = $1 AND NOT (${inForce})
       ORDER BY ${isPassing} IS TRUE, "updatedAt" DESC, id DESC
       OFFSET greatest(0, $3 - (SELECT count(*) FROM "Policy" WHERE "profileId" = $1 AND ${inForce})))`,
    [profileId, now, policyRowsMax, briefMsMax],
  );
}

function numeral(count: number): string {
  return count.toLocaleString("en");
}
