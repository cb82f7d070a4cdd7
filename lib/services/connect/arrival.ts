import { type NamedAgent, namedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

/** A client that was just connected, as far as it has come. */
export interface Arrival {
  agent: NamedAgent;
  connectedAt: Date;
  firstRead: { at: Date; items: Record<string, number> } | null;
}

const recentMinutes = 30;

/** The latest connection of the last half hour. */
export async function findArrival(ctx: Ctx, did: string): Promise<Arrival | null> {
  const since = new Date(ctx.now.getTime() - recentMinutes * 60_000);
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const [row] = await ctx.db.$queryRaw<
      (Omit<Arrival, "firstRead"> & { at: Date | null; items: Record<string, number> })[]
    >`SELECT ${namedAgent("t")} AS agent, t."createdAt" AS "connectedAt", e.at, e.items
      FROM "ConnectionToken" t LEFT JOIN "Agent" a ON a.did = t."agentDid"
      LEFT JOIN LATERAL (
        SELECT at, items FROM "AccessEvent"
        WHERE "profileId" = t."profileId" AND "actorId" = t."agentDid" AND at >= t."createdAt" AND detail->>'connection' = t.id
          AND verb IN ('getProfile', 'listMemories') AND outcome = 'ok'
        ORDER BY at LIMIT 1) e ON true
      WHERE t."profileId" = ${profile.id} AND t."clientId" IS NOT NULL AND t."revokedAt" IS NULL
        AND t."createdAt" > ${since}
      ORDER BY t."createdAt" DESC LIMIT 1`;
    if (row === undefined) return null;
    const { at, items, ...arrival } = row;
    return { ...arrival, firstRead: at === null ? null : { at, items } };
  });
}
