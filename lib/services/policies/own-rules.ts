import type { PoolClient } from "pg";
import type { Permission } from "@/lib/engine/prisma-client/enums";
import type { Scope } from "@/lib/protocol/scope";
import { everyAgent } from "@/lib/rules/facts";
import { templates } from "@/lib/rules/templates";
import { insertPolicy } from "./policies";

// An import keeps the origin that its file names, so a rule is a template's only if it opens no more than one.
const templateScopes = [
  ...new Set(Object.values(templates).flatMap(({ policies }) => policies.flatMap((p) => p.allow))),
];

/**
 * A condition on `"Policy" p`: it is in force, opens something, and comes from neither a template nor a live
 * connection token. `$2` is now.
 */
export const isOwnRule = `p.enabled AND (p."expiresAt" IS NULL OR p."expiresAt" > $2)
  AND cardinality(p.allow) > 0 AND cardinality(p.permissions) > 0
  AND NOT (p.origin = 'template' AND p."agentPattern" = '${everyAgent}'
    AND p.allow <@ '{${templateScopes.join(",")}}'::varchar[])
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
 * Switches off the rules that the owner wrote or granted, and returns their ids. What such a rule denies stays
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
    kept.push(await insertPolicy(client, { profileId, policy, now }));
  }
  return kept;
}
