import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Scope } from "@/lib/protocol/scope";
import { decideAsOwner, decideEach } from "@/lib/rules/decide";
import { decideScopes } from "@/lib/rules/decide-scope";
import { exampleOf, strangerFacts } from "@/lib/rules/effect/imagined-agents";
import { type Counts, countSeen, type Holdings, sightOf } from "@/lib/rules/effect/seen";
import type { Policy } from "@/lib/rules/facts";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import { loadHoldings } from "../access/sight/holdings";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";
import { policyRowsMax } from "./bounds";

/** A policy as its owner reads it. */
export interface ListedPolicy extends Policy {
  /** With the limit that an admin set, which is nothing unless it is active; null where it is about more than one. */
  agent: (NamedAgent & { ceiling: readonly Scope[] }) | null;
  createdAt: Date;
  updatedAt: Date;
  /** The request that was granted, where that made the policy. */
  consent: { id: string; decidedAt: Date } | null;
  token: { label: string | null; lastFour: string | null; isLive: boolean } | null;
}

export interface ListedPolicies {
  /** On or off; oldest first. */
  standing: ListedPolicy[];
  /** The last that ran out. */
  ended: ListedPolicy[];
  /** When each last decided something, as far as the newest events tell. */
  usedAt: ReadonlyMap<string, Date>;
  behind: (policy: ListedPolicy) => Behind;
}

/** What the rule opens to the agents it is for, or closes if it opens nothing. */
export interface Behind extends Counts {
  /** Why none of it opens, nor what is added later: another rule denies it, or its agent may not read it. */
  closedBy: "rule" | "agent" | null;
}

const endedMax = 20;

export async function listPolicies(ctx: Ctx, did: string): Promise<ListedPolicies> {
  return withProfile(ctx, { verb: "editPolicies", did }, async ({ profile }) => {
    const listed = listedOf(profile.id, ctx.now);
    const [standing, ended, uses, holdings] = await Promise.all([
      ctx.db.$queryRaw<
        ListedPolicy[]
      >`${listed} WHERE p."expiresAt" IS NULL OR p."expiresAt" > ${ctx.now}
        ORDER BY p."createdAt", p.id LIMIT ${policyRowsMax}`,
      ctx.db.$queryRaw<ListedPolicy[]>`${listed} WHERE p."expiresAt" <= ${ctx.now}
        ORDER BY p."expiresAt" DESC, p.id DESC LIMIT ${endedMax}`,
      ctx.db.$queryRaw<{ id: string; at: Date }[]>(usesOf(profile.id)),
      loadHoldings(ctx, profile),
    ]);
    const around = { policies: standing, holdings, now: ctx.now };
    return {
      standing: standing.map(dated),
      ended: ended.map(dated),
      usedAt: new Map(uses.map(({ id, at }) => [id, at])),
      behind: (policy) => behindOf(policy, around),
    };
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

const usesMax = 200;

const usesOf = (profileId: number) => Prisma.sql`
  SELECT r.value ->> 'policyId' AS id, max(e.at) AS at
  FROM (SELECT at, reasons FROM "AccessEvent" WHERE "profileId" = ${profileId}
        ORDER BY at DESC, id DESC LIMIT ${usesMax}) e
  CROSS JOIN LATERAL jsonb_each(CASE jsonb_typeof(e.reasons) WHEN 'object' THEN e.reasons ELSE '{}' END) r
  WHERE r.value ->> 'rule' IN ('allow', 'allow_for_purpose', 'deny') AND r.value ->> 'policyId' IS NOT NULL
  GROUP BY 1`;

const listedOf = (profileId: number, now: Date) => Prisma.sql`
  SELECT p.id, p."agentPattern", p."verifiedOnly", p.allow, p.deny, p.permissions::text[], p.purposes,
    p."maxRetention", p."receiptSeconds", p.enabled, p."expiresAt", p.origin, p."createdAt", p."updatedAt",
    CASE WHEN position('*' IN p."agentPattern") = 0 THEN ${namedAgent("p")} || jsonb_build_object(
      'ceiling', CASE WHEN a.state = 'active' THEN a.ceiling ELSE '{}' END) END AS agent,
    CASE WHEN c.id IS NOT NULL THEN jsonb_build_object('id', c.id, 'decidedAt', c."decidedAt") END AS consent,
    (SELECT jsonb_build_object('label', t.label, 'lastFour', t."lastFour",
        'isLive', t."revokedAt" IS NULL AND t."expiresAt" > ${now})
       FROM "ConnectionToken" t WHERE t."policyId" = p.id ORDER BY t."createdAt" DESC LIMIT 1) AS token
  FROM (SELECT *, "agentPattern" AS "agentDid" FROM "Policy" WHERE "profileId" = ${profileId}) p
  LEFT JOIN "Agent" a ON a.did = p."agentDid"
  LEFT JOIN "ConsentRequest" c ON c.id = p."consentRequestId"`;

type Aimed = Policy & Pick<ListedPolicy, "agent">;

interface Around {
  /** All rules of the profile: what one of them denies, no other opens. */
  policies: readonly Policy[];
  holdings: Holdings;
  now: Date;
}

export function behindOf(policy: Aimed, { policies, holdings, now }: Around): Behind {
  if (!policy.permissions.includes("read") || policy.allow.length === 0) {
    const closed = sightOf(holdings, decideAsOwner, policy.deny).seen;
    return { ...countSeen(closed, holdings), closedBy: null };
  }
  const met = { enabled: true, expiresAt: null, purposes: [], maxRetention: null };
  const denying = policies
    .filter(({ id, deny }) => id !== policy.id && deny.length > 0)
    .map((one) => ({ ...one, allow: [] }));
  const stranger = strangerFacts({
    ...{ did: exampleOf(policy.agentPattern), verified: true, now },
    policies: [{ ...policy, ...met }, ...denying],
  });
  const facts = { ...stranger, agent: policy.agent ?? stranger.agent };
  const decideCategory = decideEach(facts, "read");
  const decisions = decideScopes(facts, {
    ...{ permission: "read", scopes: policy.allow, decideCategory },
  });
  const isDenied = decisions.some(({ reason }) => reason.rule === "deny");
  return {
    ...countSeen(sightOf(holdings, decideCategory).seen, holdings),
    closedBy: decisions.some(({ hasGranted }) => hasGranted) ? null : isDenied ? "rule" : "agent",
  };
}
