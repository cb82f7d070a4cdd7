import type { PoolClient } from "pg";
import type { Permission } from "@/lib/engine/prisma-client/enums";
import type { Scope } from "@/lib/protocol/scope";
import { defaultTemplate, templates } from "@/lib/rules/templates";
import { insertInPlace } from "./policies";

// Member by member: a stolen session puts any template in place, and an import keeps the origin that its file names.
const keptRules = templates[defaultTemplate].policies
  .map((policy) => `'${JSON.stringify(policy)}'::jsonb`)
  .join(", ");

/**
 * A condition on `"Policy" p`: it is in force, opens something, and neither is a rule of the default template
 * nor comes from a live connection token. `$2` is now.
 */
export const isOwnRule = `p.enabled AND (p."expiresAt" IS NULL OR p."expiresAt" > $2)
  AND cardinality(p.allow) > 0 AND cardinality(p.permissions) > 0
  AND to_jsonb(p) - '{id,profileId,enabled,consentRequestId,createdAt,updatedAt}'::text[] NOT IN (${keptRules})
  AND NOT EXISTS (SELECT FROM "ConnectionToken" t WHERE t."policyId" = p.id
    AND t."revokedAt" IS NULL AND t."expiresAt" > $2)`;

/** What a statement on `"Policy" p` returns of the rules that it switches off. */
export const switchedOff = `p.id, p."agentPattern", p."verifiedOnly", p.deny, p.permissions::text[], p."expiresAt"`;

export interface SwitchedOff {
  id: string;
  agentPattern: string;
  verifiedOnly: boolean;
  deny: Scope[];
  permissions: Permission[];
  expiresAt: Date | null;
}

interface Locked {
  profileId: number;
  now: Date;
}

/**
 * Switches off the rules that somebody chose, wrote or granted in the owner's name, and returns their ids. What such a rule denies stays
 * denied, by a new rule. Part of a transaction that has locked the profile.
 */
export async function switchOffOwnRules(
  client: PoolClient,
  { profileId, now }: Locked,
): Promise<string[]> {
  const { rows } = await client.query<SwitchedOff>(
    `UPDATE "Policy" p SET enabled = false, "updatedAt" = greatest($2, p."updatedAt" + interval '1 millisecond')
     WHERE p."profileId" = $1 AND ${isOwnRule} RETURNING ${switchedOff}`,
    [profileId, now],
  );
  await keepDenied(client, { profileId, now, rules: rows });
  return rows.map(({ id }) => id);
}

/** For rules that were just switched off: what they deny stays denied, by new rules, whose ids it returns. */
export async function keepDenied(
  client: PoolClient,
  { profileId, now, rules }: Locked & { rules: readonly SwitchedOff[] },
): Promise<string[]> {
  const inForce = rules.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  const kept: string[] = [];
  for (const { id: _, ...rule } of inForce.filter(({ deny }) => deny.length > 0)) {
    const conditions = { purposes: [], maxRetention: null, receiptSeconds: null };
    const policy = { ...rule, ...conditions, allow: [], origin: "owner" as const };
    kept.push(await insertInPlace(client, { profileId, policy, now }));
  }
  return kept;
}
