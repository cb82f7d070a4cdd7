import type { NamedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { onProfile } from "../open-profile";
import { verbsOf } from "./kinds";

/** What one agent did in a time. */
export interface AgentChanges {
  agent: NamedAgent;
  /** Its first event ever is one of these. */
  isNew: boolean;
  reads: number;
  proposals: number;
  refused: number;
}

const agentsMax = 20;
// Nobody reads what has changed in more than that.
const lookBackMs = 92 * 24 * 60 * 60_000;

/** What agents did since an instant, those that did most first. */
export async function changesSince(
  ctx: Ctx,
  { did, since }: { did: string; since: Date },
): Promise<AgentChanges[]> {
  return onProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const earliest = new Date(ctx.now.getTime() - lookBackMs);
    const { rows } = await ctx.pool.query<AgentChanges>(changesStatement, [
      profile.id,
      since < earliest ? earliest : since,
      verbsOf("reads").verbs,
      verbsOf("proposals").verbs,
      [profile.did, "gateway", "nobody"],
      agentsMax,
    ]);
    return rows;
  });
}

const changesStatement = `
  WITH c AS (
    SELECT e."actorId",
      (count(*) FILTER (WHERE e.verb = ANY($3) AND e.outcome = 'ok'))::int AS reads,
      (count(*) FILTER (WHERE e.verb = ANY($4) AND e.outcome = 'ok'))::int AS proposals,
      (count(*) FILTER (WHERE e.outcome <> 'ok'))::int AS refused
    FROM "AccessEvent" e
    WHERE e."profileId" = $1 AND e.at >= $2 AND e."actorId" <> ALL($5::text[])
    GROUP BY 1
  )
  SELECT jsonb_build_object('did', a.did, 'name', a.name, 'verified', a.verified) AS agent,
    c.reads, c.proposals, c.refused,
    NOT EXISTS (SELECT FROM "AccessEvent" o
      WHERE o."profileId" = $1 AND o."actorId" = c."actorId" AND o.at < $2) AS "isNew"
  FROM c JOIN "Agent" a ON a.did = c."actorId"
  ORDER BY c.reads + c.proposals + c.refused DESC, a.did LIMIT $6`;
