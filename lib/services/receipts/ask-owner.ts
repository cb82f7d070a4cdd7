import type { Tx } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import type { Purpose } from "@/lib/protocol/resources";
import type { Scope } from "@/lib/protocol/scope";
import { leftOut } from "@/lib/rules/access";
import type { Caller } from "@/lib/rules/may";
import type { Ctx } from "../context";
import { mailUser } from "../mail/enqueue";

// Purposes are an open vocabulary: without an end one agent could bury everybody's requests.
export const pendingPurposesMax = 10;

/** The connection that asks, which alone a grant extends; empty for an agent that asks by itself. */
export function connectionOf(caller: Caller): string {
  return caller.kind === "token" && caller.ofClient ? caller.tokenId : "";
}

interface Question {
  ctx: Ctx;
  profileId: number;
  agentDid: string;
  purpose: Purpose;
}

/** Loads the scopes that the owner refused this agent for this purpose; null for any purpose. */
export async function refusedScopes(
  tx: Tx,
  { ctx, profileId, agentDid, purpose }: Omit<Question, "purpose"> & { purpose: Purpose | null },
): Promise<Scope[]> {
  const rows = await tx.consentRequest.findMany({
    where: {
      profileId,
      agentDid,
      refusedUntil: { gt: ctx.now },
      ...(purpose === null ? {} : { purposeType: purpose.type }),
    },
    select: { scopes: true, grantedScopes: true },
  });
  return rows.flatMap(({ scopes, grantedScopes }) => leftOut(scopes, grantedScopes));
}

/**
 * Asks the owner: one pending request per agent, connection and purpose, which repeats join. The words of the purpose stay,
 * as the owner may be reading them. Returns null if too many of them are pending.
 */
export async function askOwner(
  tx: Tx,
  question: Question & { userId: string; scopes: readonly Scope[] },
): Promise<string | null> {
  const { ctx, userId, profileId, agentDid, scopes, purpose } = question;
  const tokenId = connectionOf(ctx.caller);
  const rows = await tx.$queryRaw<
    { id: string; isNew: boolean }[]
  >`INSERT INTO "ConsentRequest" AS asked (id, "profileId", "agentDid", scopes, "purposeType",
             "purposeDescription", "legalBasis", retention, "requestedAt", "tokenId")
           SELECT ${newId("creq")}::text, ${profileId}::int, ${agentDid}::text, ${scopes}::text[], ${purpose.type}::text, ${purpose.description ?? null}::text, ${purpose.legalBasis ?? null}::text, ${purpose.retention ?? null}::text,
             ${ctx.now}::timestamptz, ${tokenId}::text
           WHERE (SELECT count(*) FROM "ConsentRequest" WHERE "profileId" = ${profileId} AND "agentDid" = ${agentDid}
                    AND "tokenId" = ${tokenId}
                    AND status = 'pending' AND "purposeType" <> ${purpose.type}) < ${pendingPurposesMax}
           ON CONFLICT ("profileId", "agentDid", "purposeType", "tokenId") WHERE status = 'pending'
           DO UPDATE SET "timesAsked" = asked."timesAsked" + 1,
             scopes = (SELECT array_agg(scope) FROM (
               SELECT scope FROM unnest(asked.scopes || excluded.scopes) WITH ORDINALITY AS s (scope, place)
               GROUP BY scope ORDER BY min(place) LIMIT 50) AS joined)
           RETURNING id, xmax = 0 AS "isNew"`;
  const [request] = rows;
  if (request?.isNew) {
    const requestId = request.id;
    await mailUser(tx, {
      kind: "access_request",
      now: ctx.now,
      userId,
      profileId,
      requestId,
      agentDid,
    });
  }
  return request?.id ?? null;
}
