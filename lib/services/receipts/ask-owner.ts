import type { Pool, PoolClient } from "pg";
import { newId } from "@/lib/engine/random";
import type { Purpose } from "@/lib/protocol/resources";
import type { Scope } from "@/lib/protocol/scope";
import { leftOut } from "@/lib/rules/access";
import type { Ctx } from "../context";

// Purposes are an open vocabulary: without an end one agent could bury everybody's requests.
export const pendingPurposesMax = 10;

interface Question {
  ctx: Ctx;
  profileId: number;
  agentDid: string;
  purpose: Purpose;
}

/** Loads the scopes that the owner left out when they answered this agent about this purpose; null is any purpose. */
export async function refusedScopes(
  client: Pool | PoolClient,
  { ctx, profileId, agentDid, purpose }: Omit<Question, "purpose"> & { purpose: Purpose | null },
): Promise<Scope[]> {
  const { rows } = await client.query<{ scopes: Scope[]; grantedScopes: Scope[] }>(
    `SELECT scopes, "grantedScopes" FROM "ConsentRequest"
     WHERE "profileId" = $1 AND "agentDid" = $2 AND "refusedUntil" > $3
       AND ($4::text IS NULL OR "purposeType" = $4)`,
    [profileId, agentDid, ctx.now, purpose?.type ?? null],
  );
  return rows.flatMap(({ scopes, grantedScopes }) => leftOut(scopes, grantedScopes));
}

/**
 * One pending request an agent and purpose: repeats join it. What the owner may be reading already, the words of
 * the purpose, stays as it was first asked. Null where the agent has enough of them waiting.
 */
export async function askOwner(
  client: PoolClient,
  { ctx, profileId, agentDid, scopes, purpose }: Question & { scopes: readonly Scope[] },
): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>({
    name: "ask-owner",
    text: `INSERT INTO "ConsentRequest" AS asked (id, "profileId", "agentDid", scopes, "purposeType",
             "purposeDescription", "legalBasis", retention, "requestedAt")
           SELECT $1::text, $2::int, $3::text, $4::text[], $5::text, $6::text, $7::text, $8::text,
             $9::timestamptz
           WHERE (SELECT count(*) FROM "ConsentRequest" WHERE "profileId" = $2 AND "agentDid" = $3
                    AND status = 'pending' AND "purposeType" <> $5) < $10
           ON CONFLICT ("profileId", "agentDid", "purposeType") WHERE status = 'pending'
           DO UPDATE SET "timesAsked" = asked."timesAsked" + 1,
             scopes = (SELECT array_agg(scope) FROM (
               SELECT scope FROM unnest(asked.scopes || excluded.scopes) WITH ORDINALITY AS s (scope, place)
               GROUP BY scope ORDER BY min(place) LIMIT 50) AS joined)
           RETURNING id`,
    values: [
      newId("creq"),
      profileId,
      agentDid,
      scopes,
      purpose.type,
      purpose.description,
      purpose.legalBasis,
      purpose.retention,
      ctx.now,
      pendingPurposesMax,
    ],
  });
  return rows[0]?.id ?? null;
}
