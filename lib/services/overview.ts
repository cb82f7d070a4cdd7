import type { PolicyOrigin } from "@/lib/engine/prisma-client/enums";
import { Did } from "@/lib/protocol/did";
import { forbidden, notFound } from "@/lib/protocol/errors";
import { may } from "@/lib/rules/may";
import type { NamedAgent } from "./access/named-agent";
import type { Ctx } from "./context";
import { pendingAt } from "./proposals/pending";

export interface Overview {
  did: string;
  displayName: string;
  proposals: { count: number; oldest: Date | null; nextEnd: Date | null };
  requests: { count: number; oldest: Date | null };
  policies: PolicyLine[];
}

export interface PolicyLine {
  id: string;
  agentPattern: string;
  /** Null where it is about more than one. */
  agent: NamedAgent | null;
  verifiedOnly: boolean;
  allow: readonly string[];
  deny: readonly string[];
  permissions: readonly ("read" | "propose")[];
  purposes: readonly string[];
  maxRetention: string | null;
  expiresAt: Date | null;
  origin: PolicyOrigin;
}

const policiesMax = 20;

/** Returns what waits, and what is in force, for one of the caller's profiles. */
export async function getOverview(ctx: Ctx, profileId: number): Promise<Overview> {
  const profile = await ownProfile(ctx, profileId);
  const { db, now } = ctx;
  const inForce = {
    profileId,
    enabled: true,
    OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
  };
  const [proposals, requests, policies] = await Promise.all([
    db.proposal.aggregate({
      where: { profileId, ...pendingAt(now) },
      _count: true,
      _min: { proposedAt: true, expiresAt: true },
    }),
    db.consentRequest.aggregate({
      where: { profileId, status: "pending" },
      _count: true,
      _min: { requestedAt: true },
    }),
    db.policy.findMany({ where: inForce, orderBy: { createdAt: "asc" }, take: policiesMax }),
  ]);
  return {
    did: profile.did,
    displayName: displayNameOf(profile.common) ?? profile.did,
    proposals: {
      count: proposals._count,
      oldest: proposals._min.proposedAt,
      nextEnd: proposals._min.expiresAt,
    },
    requests: { count: requests._count, oldest: requests._min.requestedAt },
    policies: await named(ctx, policies),
  };
}

/** Policies with the name of the one agent that each is about. */
export async function named<P extends { agentPattern: string }>(
  { db }: Ctx,
  policies: P[],
): Promise<(P & { agent: NamedAgent | null })[]> {
  const patterns = policies.map(({ agentPattern }) => agentPattern);
  const agents = await db.agent.findMany({
    where: { did: { in: patterns } },
    select: { did: true, name: true, verified: true },
  });
  return policies.map((policy) => {
    const agent = agents.find(({ did }) => did === policy.agentPattern);
    return {
      ...policy,
      agent: agent === undefined ? null : { ...agent, did: Did.parse(agent.did) },
    };
  });
}

export interface Waiting {
  proposals: number;
  requests: number;
}

// More than the navigation ever shows; every page counts them.
const waitingMax = 1_000;

/** How much waits for an answer of the owner's: exact below the most that is counted. */
export async function countWaiting(ctx: Ctx, profileId: number): Promise<Waiting> {
  await ownProfile(ctx, profileId);
  const { db, now } = ctx;
  const [proposals, requests] = await Promise.all([
    db.proposal.count({
      where: { profileId, ...pendingAt(now) },
      take: waitingMax,
    }),
    db.consentRequest.count({ where: { profileId, status: "pending" }, take: waitingMax }),
  ]);
  return { proposals, requests };
}

// Requests that began before this were under way while the page was made.
const underWayMs = 5_000;

/** Whether the profile's log has events since a page was made. */
export async function hasNews(
  ctx: Ctx,
  { profileId, since }: { profileId: number; since: Date },
): Promise<boolean> {
  await ownProfile(ctx, profileId);
  const at = new Date(since.getTime() - underWayMs);
  const rows = await ctx.db.$queryRaw<
    { isNews: boolean }[]
  >`SELECT EXISTS (SELECT FROM "AccessEvent" WHERE "profileId" = ${profileId} AND at > ${at}) AS "isNews"`;
  return rows[0]?.isNews ?? false;
}

async function ownProfile({ db, caller }: Ctx, profileId: number) {
  const profile = await db.profile.findUnique({ where: { id: profileId } });
  if (profile === null) throw notFound("profile");
  const { ownerId, state } = profile;
  const permit = may({
    caller,
    verb: "readActivity",
    profile: { did: Did.parse(profile.did), ownerId, state },
  });
  if (!permit.allowed) throw forbidden(permit.message);
  return profile;
}

function displayNameOf(common: unknown): string | null {
  const identity = memberOf(common, "identity");
  const name = memberOf(identity, "displayName");
  return typeof name === "string" && name.trim() !== "" ? name : null;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
