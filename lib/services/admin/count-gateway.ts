import type { Ctx } from "../context";
import { isWaiting } from "../proposals/pending";
import { refuseOthers } from "./administer";

/** Counts of the whole gateway; nothing of any profile's contents. */
export interface GatewayCounts {
  users: number;
  /** Of the last thirty days. */
  newUsers: number;
  agents: number;
  verifiedAgents: number;
  suspendedAgents: number;
  proposals: number;
  oldestProposalAt: Date | null;
  /** Of agents, in the last seven days. */
  requests: number;
  deniedRequests: number;
}

export async function countGateway(ctx: Ctx): Promise<GatewayCounts> {
  refuseOthers(ctx);
  const { db, now } = ctx;
  const rows = await db.$queryRaw<GatewayCounts[]>`SELECT * FROM
      (SELECT count(*)::int AS users,
         count(*) FILTER (WHERE "createdAt" > ${now}::timestamptz - interval '30 days')::int AS "newUsers"
       FROM "User") AS u,
      (SELECT count(*)::int AS agents, count(*) FILTER (WHERE verified)::int AS "verifiedAgents",
         count(*) FILTER (WHERE state = 'suspended')::int AS "suspendedAgents"
       FROM "Agent") AS a,
      (SELECT count(*)::int AS proposals, min("proposedAt") AS "oldestProposalAt"
       FROM "Proposal" WHERE ${isWaiting(now)}) AS p,
      (SELECT coalesce(sum(requests), 0)::int AS requests, coalesce(sum(denied), 0)::int AS "deniedRequests"
       FROM "AgentDay" WHERE day > ${now}::timestamptz - interval '7 days') AS d`;
  const [counts] = rows;
  if (counts === undefined) throw new Error("an aggregate has one row");
  return counts;
}
