import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { PolicyDraft } from "@/lib/rules/templates";
import { insertDenial } from "../../policies/policies";

/** The rule that denies the agents of a pattern everything, for good: a deny wins over every allow. */
export function denialOf(agentPattern: string): PolicyDraft {
  return {
    agentPattern,
    verifiedOnly: false,
    allow: [],
    deny: ["prof:*"],
    permissions: [],
    purposes: [],
    maxRetention: null,
    receiptSeconds: null,
    expiresAt: null,
    origin: "owner",
  };
}

/** A condition on a `"Policy"`: it is such a rule, and on. */
export const deniesAll = Prisma.sql`(enabled AND NOT "verifiedOnly" AND 'prof:*' = ANY (deny) AND "expiresAt" IS NULL)`;

/** Returns the id of the rule that denies the agents of this very pattern everything, for good; null if none is on. */
export async function findDenial(
  db: Pick<Tx, "$queryRaw">,
  { profileId, agentPattern }: { profileId: number; agentPattern: string },
): Promise<string | null> {
  const rows = await db.$queryRaw<{ id: string }[]>`SELECT id FROM "Policy"
    WHERE "profileId" = ${profileId} AND "agentPattern" = ${agentPattern} AND ${deniesAll}
      AND origin <> 'quarantine'
    ORDER BY "createdAt", id LIMIT 1`;
  return rows[0]?.id ?? null;
}

interface Denying {
  profileId: number;
  now: Date;
  agentPattern: string;
}

/** Adds that rule unless it is there. Part of a transaction that has locked the profile. */
export async function denyAll(
  tx: Tx,
  { profileId, now, agentPattern }: Denying,
): Promise<{ policyId: string; isNew: boolean }> {
  const found = await findDenial(tx, { profileId, agentPattern });
  if (found !== null) return { policyId: found, isNew: false };
  const policy = denialOf(agentPattern);
  return { policyId: await insertDenial(tx, { profileId, now, policy }), isNew: true };
}
