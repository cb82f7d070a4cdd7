import type { PoolClient } from "pg";
import type { Permission } from "@/lib/engine/prisma-client/enums";
import type { Scope } from "@/lib/protocol/scope";
import { defaultTemplate, templates } from "@/lib/rules/templates";
import { insertPolicy } from "./policies";

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

interface SwitchedOff {
  id: string;
  agentPattern: string;
  verifiedOnly: boolean;
  deny: Scope[];
  permissions: Permission[];
  expiresAt: Date | null;
}

/**
 * Switches off the rules that somebody chose, wrote or granted in the owner's name, and returns their ids. What such a rule denies stays
 * denied, by a new rule. Part of a transaction that has locked the profile.
 */
export async function switchOffOwnRules(
  client: PoolClient,
  { profileId, now }: { profileId: number; now: Date },
): Promise<string[]> {
  const { rows } = await client.query<SwitchedOff>(
    `UPDATE "Policy" p SET enabled = false, "updatedAt" = greatest($2, p."updatedAt" + interval '1 millisecond')
     WHERE p."profileId" = $1 AND ${isOwnRule}
     RETURNING id, "agentPattern", "verifiedOnly", deny, permissions::text[], "expiresAt"`,
    [profileId, now],
  );
  for (const { id: _, ...rule } of rows.filter(({ deny }) => deny.length > 0)) {
    const conditions = { purposes: [], maxRetention: null, receiptSeconds: null };
    const policy = { ...rule, ...conditions, allow: [], origin: "owner" as const };
    await insertPolicy(client, { profileId, policy, now });
  }
  return rows.map(({ id }) => id);
}
