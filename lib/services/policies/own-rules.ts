import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Permission } from "@/lib/engine/prisma-client/enums";
import type { Scope } from "@/lib/protocol/scope";
import { defaultTemplate, templates } from "@/lib/rules/templates";
import { insertDenial } from "./policies";

// Compared member by member: a stolen session can apply any template, and an import keeps its file's origins.
const keptRules = templates[defaultTemplate].policies.map((policy) => JSON.stringify(policy));

/**
 * A condition on `"Policy" p`: it is in force, opens something, and neither is a rule of the default template
 * nor comes from a live connection token.
 */
export const isOwnRule = (now: Date) => Prisma.sql`p.enabled
  AND (p."expiresAt" IS NULL OR p."expiresAt" > ${now})
  AND cardinality(p.allow) > 0 AND cardinality(p.permissions) > 0
  AND to_jsonb(p) - '{id,profileId,enabled,consentRequestId,createdAt,updatedAt,resumeAskedAt,resumeReason}'::text[]
    <> ALL (${keptRules}::jsonb[])
  AND NOT EXISTS (SELECT FROM "ConnectionToken" t WHERE t."policyId" = p.id
    AND t."revokedAt" IS NULL AND t."expiresAt" > ${now})`;

const switchedOff = Prisma.sql`p.id, p."agentPattern", p."verifiedOnly", p.deny, p.permissions::text[], p."expiresAt"`;

interface SwitchedOff {
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

/** Switches off these rules and returns them. Part of a transaction that has locked the profile. */
export async function switchOff(
  tx: Tx,
  { now, ...where }: Prisma.PolicyWhereInput & { now: Date },
): Promise<SwitchedOff[]> {
  return tx.policy.updateManyAndReturn({
    where: { ...where, enabled: true },
    data: { enabled: false, updatedAt: now },
    select: {
      id: true,
      agentPattern: true,
      verifiedOnly: true,
      deny: true,
      permissions: true,
      expiresAt: true,
    },
  });
}

/**
 * Switches off the rules that somebody chose, wrote or granted in the owner's name, and returns their ids. New
 * rules keep their denials. Part of a transaction that has locked the profile.
 */
export async function switchOffOwnRules(tx: Tx, { profileId, now }: Locked): Promise<string[]> {
  const rows = await tx.$queryRaw<
    SwitchedOff[]
  >`UPDATE "Policy" p SET enabled = false, "updatedAt" = greatest(${now}::timestamptz, p."updatedAt" + interval '1 millisecond')
     WHERE p."profileId" = ${profileId} AND ${isOwnRule(now)} RETURNING ${switchedOff}`;
  await keepDenied(tx, { profileId, now, rules: rows });
  return rows.map(({ id }) => id);
}

/** Adds rules that keep the denials of rules just switched off, and returns their ids. */
export async function keepDenied(
  tx: Tx,
  { profileId, now, rules }: Locked & { rules: readonly SwitchedOff[] },
): Promise<string[]> {
  const inForce = rules.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  const kept: string[] = [];
  for (const { id: _, ...rule } of inForce.filter(({ deny }) => deny.length > 0)) {
    const conditions = { purposes: [], maxRetention: null, receiptSeconds: null };
    const policy = { ...rule, ...conditions, allow: [], origin: "owner" as const };
    kept.push(await insertDenial(tx, { profileId, policy, now }));
  }
  return kept;
}
