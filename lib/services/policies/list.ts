import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Policy } from "@/lib/rules/facts";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";
import { policyRowsMax } from "./bounds";

/** A policy as its owner reads it. */
export interface ListedPolicy extends Policy {
  /** Null where it is about more than one. */
  agent: NamedAgent | null;
  createdAt: Date;
  updatedAt: Date;
  /** The request that was granted, where that made the policy. */
  consent: { id: string; decidedAt: Date } | null;
  token: { label: string | null; lastFour: string; isLive: boolean } | null;
}

export interface ListedPolicies {
  /** On or off; oldest first. */
  standing: ListedPolicy[];
  /** The last that ran out. */
  ended: ListedPolicy[];
}

const endedMax = 20;

export async function listPolicies(ctx: Ctx, did: string): Promise<ListedPolicies> {
  return withProfile(ctx, { verb: "editPolicies", did }, async ({ profile }) => {
    const listed = listedOf(profile.id, ctx.now);
    const [standing, ended] = await Promise.all([
      ctx.db.$queryRaw<
        ListedPolicy[]
      >`${listed} WHERE p."expiresAt" IS NULL OR p."expiresAt" > ${ctx.now}
        ORDER BY p."createdAt", p.id LIMIT ${policyRowsMax}`,
      ctx.db.$queryRaw<ListedPolicy[]>`${listed} WHERE p."expiresAt" <= ${ctx.now}
        ORDER BY p."expiresAt" DESC, p.id DESC LIMIT ${endedMax}`,
    ]);
    return { standing: standing.map(dated), ended: ended.map(dated) };
  });
}

/** Null if this profile has no policy of that id. */
export async function findPolicy(
  ctx: Ctx,
  { did, policyId }: { did: string; policyId: string },
): Promise<ListedPolicy | null> {
  return withProfile(ctx, { verb: "editPolicies", did }, async ({ profile }) => {
    const rows = await ctx.db.$queryRaw<
      ListedPolicy[]
    >`${listedOf(profile.id, ctx.now)} WHERE p.id = ${policyId}`;
    return rows.map(dated)[0] ?? null;
  });
}

function dated({ consent, ...row }: ListedPolicy): ListedPolicy {
  if (consent === null) return { ...row, consent };
  return { ...row, consent: { ...consent, decidedAt: new Date(consent.decidedAt) } };
}

const listedOf = (profileId: number, now: Date) => Prisma.sql`
  SELECT p.id, p."agentPattern", p."verifiedOnly", p.allow, p.deny, p.permissions::text[], p.purposes,
    p."maxRetention", p."receiptSeconds", p.enabled, p."expiresAt", p.origin, p."createdAt", p."updatedAt",
    CASE WHEN position('*' IN p."agentPattern") = 0 THEN ${namedAgent("p")} END AS agent,
    CASE WHEN c.id IS NOT NULL THEN jsonb_build_object('id', c.id, 'decidedAt', c."decidedAt") END AS consent,
    (SELECT jsonb_build_object('label', t.label, 'lastFour', t."lastFour",
        'isLive', t."revokedAt" IS NULL AND t."expiresAt" > ${now})
       FROM "ConnectionToken" t WHERE t."policyId" = p.id ORDER BY t."createdAt" DESC LIMIT 1) AS token
  FROM (SELECT *, "agentPattern" AS "agentDid" FROM "Policy" WHERE "profileId" = ${profileId}) p
  LEFT JOIN "Agent" a ON a.did = p."agentDid"
  LEFT JOIN "ConsentRequest" c ON c.id = p."consentRequestId"`;
