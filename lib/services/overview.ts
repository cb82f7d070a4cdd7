import { Did } from "@/lib/protocol/did";
import { forbidden, notFound } from "@/lib/protocol/errors";
import { sensitiveCategories } from "@/lib/protocol/scope";
import { may } from "@/lib/rules/may";
import { type NamedAgent, namedAgent } from "./access/named-agent";
import type { Ctx } from "./context";
import { isWaiting, waitingAt } from "./proposals/pending";

export interface Overview {
  did: string;
  displayName: string;
  proposals: WaitingProposals;
  /** Whether there was ever one. */
  hasProposals: boolean;
  requests: number;
}

export interface WaitingProposals {
  count: number;
  sensitive: number;
  nextEnd: Date | null;
  /** The newest, which the inbox shows first. */
  claim: { agent: NamedAgent; content: string } | null;
  /** Those with most of them. */
  agents: { agent: NamedAgent; count: number }[];
}

const proposersMax = 4;

/** Returns what waits for the owner of one of the caller's profiles. */
export async function getOverview(ctx: Ctx, profileId: number): Promise<Overview> {
  const profile = await ownProfile(ctx, profileId);
  const [proposals, first, requests] = await Promise.all([
    waitingProposals(ctx, profileId),
    ctx.db.proposal.findFirst({ where: { profileId }, select: { id: true } }),
    ctx.db.consentRequest.count({ where: { profileId, status: "pending" } }),
  ]);
  const { did, common } = profile;
  const displayName = displayNameOf(common) ?? did;
  const hasProposals = first !== null;
  return { did, displayName, proposals, hasProposals, requests };
}

async function waitingProposals({ db, now }: Ctx, profileId: number): Promise<WaitingProposals> {
  const below = sensitiveCategories.map((category) => `${category}.%`);
  const rows = await db.$queryRaw<
    (Omit<WaitingProposals, "nextEnd"> & { nextEnd: string | null })[]
  >`WITH k AS (
       SELECT "agentDid", count(*)::int AS count, min("expiresAt") AS "nextEnd",
         (count(*) FILTER (WHERE category = ANY (${sensitiveCategories}::text[])
           OR category LIKE ANY (${below}::text[])))::int AS sensitive
       FROM "Proposal" WHERE "profileId" = ${profileId} AND ${isWaiting(now)} GROUP BY "agentDid")
     SELECT coalesce(sum(count), 0)::int AS count, coalesce(sum(sensitive), 0)::int AS sensitive,
       to_json(min("nextEnd")) AS "nextEnd",
       (SELECT jsonb_build_object('agent', ${namedAgent("c")}, 'content', c.content) FROM (
          SELECT "agentDid", content FROM "Proposal" WHERE "profileId" = ${profileId} AND ${isWaiting(now)}
          ORDER BY "proposedAt" DESC, id DESC LIMIT 1) c
        LEFT JOIN "Agent" a ON a.did = c."agentDid") AS claim,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('agent', agent, 'count', count)), '[]') FROM (
          SELECT ${namedAgent("k")} AS agent, k.count FROM k LEFT JOIN "Agent" a ON a.did = k."agentDid"
          ORDER BY k.count DESC, k."agentDid" LIMIT ${proposersMax}) most) AS agents
     FROM k`;
  const { count = 0, sensitive = 0, agents = [], claim = null, nextEnd = null } = rows[0] ?? {};
  return { count, sensitive, agents, claim, nextEnd: nextEnd === null ? null : new Date(nextEnd) };
}

/** What the navigation of every page shows, each exact below the most that is counted. */
export interface Counts {
  proposals: number;
  requests: number;
  /** Live ones. */
  memories: number;
}

// More than the navigation ever shows.
const waitingMax = 1_000;
export const countedMemoriesMax = 10_000;

export async function countForNavigation(ctx: Ctx, profileId: number): Promise<Counts> {
  await ownProfile(ctx, profileId);
  const { proposal, consentRequest, memory } = ctx.db;
  const [proposals, requests, memories] = await Promise.all([
    proposal.count({ where: { profileId, ...waitingAt(ctx.now) }, take: waitingMax }),
    consentRequest.count({ where: { profileId, status: "pending" }, take: waitingMax }),
    memory.count({
      where: { profileId, archivedAt: null, deletedAt: null },
      take: countedMemoriesMax,
    }),
  ]);
  return { proposals, requests, memories };
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
