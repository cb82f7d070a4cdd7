import { Prisma } from "@/lib/engine/prisma-client/client";
import type { AgentOrigin, AgentState } from "@/lib/engine/prisma-client/enums";
import type { Did } from "@/lib/protocol/did";
import type { LimitClass } from "@/lib/protocol/endpoints";
import { notFound } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import type { Ctx } from "../../context";
import { refuseOthers } from "../administer";
import { likePattern } from "../users/list-users";

export interface AgentLine {
  did: Did;
  name: string;
  description: string | null;
  operator: string | null;
  state: AgentState;
  stateReason: string | null;
  verified: boolean;
  ceiling: Scope[];
  limits: Partial<Record<LimitClass, number>>;
  origin: AgentOrigin;
  registeredBy: string | null;
  createdAt: Date;
  lastSeenAt: Date | null;
}

export interface AgentPlace {
  createdAt: Date;
  did: string;
}

export interface AgentsQuery {
  /** A part of a name or a DID. */
  search?: string;
  state?: AgentState;
  after?: AgentPlace;
  limit: number;
}

const columns = Prisma.sql`a.did, a.name, a.description, a.operator, a.state, a."stateReason", a.verified,
  a.ceiling, a.limits, a.origin, a."registeredBy", a."createdAt", a."lastSeenAt"`;

/** Newest first. */
export async function listAgents(
  ctx: Ctx,
  { search, state, after, limit }: AgentsQuery,
): Promise<{ agents: AgentLine[]; next: AgentPlace | null }> {
  refuseOthers(ctx);
  const rows = await ctx.db.$queryRaw<AgentLine[]>`SELECT ${columns} FROM "Agent" a
     WHERE (${likePattern(search)}::text IS NULL OR a.did ILIKE ${likePattern(search)} OR a.name ILIKE ${likePattern(search)})
       AND (${state ?? null}::"AgentState" IS NULL OR a.state = ${state ?? null})
       AND (${after?.createdAt ?? null}::timestamptz IS NULL OR (a."createdAt", a.did) < (${after?.createdAt ?? null}, ${after?.did ?? null}))
     ORDER BY a."createdAt" DESC, a.did DESC LIMIT ${limit + 1}`;
  const agents = rows.slice(0, limit);
  const last = rows.length > limit ? agents.at(-1) : undefined;
  return { agents, next: last === undefined ? null : { createdAt: last.createdAt, did: last.did } };
}

export async function countPendingAgents(ctx: Ctx): Promise<number> {
  refuseOthers(ctx);
  return ctx.db.agent.count({ where: { state: "pending" } });
}

export interface AgentKey {
  id: string;
  label: string | null;
  publicKey: Uint8Array;
  createdAt: Date;
  revokedAt: Date | null;
}

export interface AgentDetail {
  agent: AgentLine;
  keys: AgentKey[];
  /** Profiles with a grant that names it, and how many grants reach above its ceiling. */
  users: number;
  grants: { allow: Scope[] }[];
  /** Its proposals here. Imported ones do not count: the user wrote whose they were. */
  proposals: { pending: number; approved: number; rejected: number };
  /** The last thirty days, newest first. */
  days: { day: Date; requests: number; denied: number }[];
}

const grantsMax = 1_000;

/** Returns counts and states: what an agent does, never contents. */
export async function findAgent(ctx: Ctx, did: string): Promise<AgentDetail> {
  refuseOthers(ctx);
  const { db } = ctx;
  const { now } = ctx;
  const [agents, keys, grants, users, proposals, days] = await Promise.all([
    db.$queryRaw<AgentLine[]>`SELECT ${columns} FROM "Agent" a WHERE a.did = ${did}`,
    db.key.findMany({
      where: { did },
      select: { id: true, label: true, publicKey: true, createdAt: true, revokedAt: true },
      orderBy: [{ revokedAt: { sort: "desc", nulls: "first" } }, { createdAt: "desc" }],
      take: 50,
    }),
    db.$queryRaw<{ allow: Scope[] }[]>`SELECT allow FROM "Policy"
      WHERE "agentPattern" = ${did} AND enabled AND ("expiresAt" IS NULL OR "expiresAt" > ${now}) LIMIT ${grantsMax}`,
    db.$queryRaw<{ users: number }[]>`SELECT count(DISTINCT "profileId")::int AS users FROM "Policy"
      WHERE "agentPattern" = ${did} AND enabled AND ("expiresAt" IS NULL OR "expiresAt" > ${now})`,
    db.$queryRaw<AgentDetail["proposals"][]>`
      SELECT count(*) FILTER (WHERE status = 'pending')::int AS pending,
        count(*) FILTER (WHERE status = 'approved')::int AS approved,
        count(*) FILTER (WHERE status = 'rejected')::int AS rejected
      FROM "Proposal" WHERE "agentDid" = ${did} AND NOT imported`,
    db.$queryRaw<AgentDetail["days"]>`SELECT day, requests, denied FROM "AgentDay"
      WHERE did = ${did} AND day > ${now}::timestamptz - interval '30 days' ORDER BY day DESC`,
  ]);
  const [agent] = agents;
  if (agent === undefined) throw notFound("agent");
  return {
    agent,
    keys,
    users: users[0]?.users ?? 0,
    grants,
    proposals: proposals[0] ?? { pending: 0, approved: 0, rejected: 0 },
    days,
  };
}
