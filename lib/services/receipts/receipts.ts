import type { PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import { consentRequired, forbidden } from "@/lib/protocol/errors";
import type { AccessReceipt, Purpose } from "@/lib/protocol/resources";
import type { Scope } from "@/lib/protocol/scope";
import { type AccessAnswer, answerAccess } from "@/lib/rules/access";
import type { Facts } from "@/lib/rules/facts";
import type { Ctx } from "../context";
import { type OpenProfile, onProfile } from "../open-profile";

export interface AccessAsked {
  did: string;
  scopes: readonly Scope[];
  purpose: Purpose;
  /** Where the owner decides. */
  origin: string;
}

/** Spec, Endpoints 2. */
export async function requestAccess(
  ctx: Ctx,
  { did, scopes, purpose, origin }: AccessAsked,
): Promise<{ data: AccessReceipt }> {
  return onProfile(ctx, { verb: "requestAccess", did, scopes }, async (open) => {
    if (open.facts === null) throw forbidden();
    const facts = { ...open.facts, purpose };
    const answer = answerAccess(facts, scopes);
    const { receipt, consentRequestId } = await inTransaction(ctx.pool, (client) =>
      settle(client, { ctx, open, facts, answer, purpose }),
    );
    if (receipt !== null) return { data: receipt };
    const consentUrl = `${origin}/dashboard/access?request=${consentRequestId}`;
    const asked = consentRequestId === null ? {} : { consentRequestId, consentUrl };
    throw consentRequired({ scopes: answer.deniedScopes, ...asked });
  });
}

interface Settling {
  ctx: Ctx;
  open: OpenProfile;
  facts: Facts;
  answer: AccessAnswer;
  purpose: Purpose;
}

async function settle(client: PoolClient, settling: Settling) {
  const { open, answer, purpose } = settling;
  const { askingScopes, grantedScopes, deniedScopes } = answer;
  const consentRequestId = askingScopes.length > 0 ? await askOwner(client, settling) : null;
  const receipt = grantedScopes.length > 0 ? receiptOf(settling) : null;
  if (receipt !== null) await insertReceipt(client, { profileId: open.profile.id, receipt });
  await open.record(client, {
    outcome: receipt === null ? "PROF004" : "ok",
    granted: grantedScopes,
    denied: deniedScopes,
    reasons: Object.fromEntries(answer.decisions.map(({ scope, reason }) => [scope, reason])),
    purposeType: purpose.type,
    receiptId: receipt?.receiptId,
    subjectId: consentRequestId,
  });
  return { receipt, consentRequestId };
}

function receiptOf({ ctx, open, facts, answer, purpose }: Settling): AccessReceipt {
  return {
    receiptId: newId("rcpt"),
    userDid: open.profile.did,
    agentDid: facts.agent.did,
    grantedScopes: answer.grantedScopes,
    deniedScopes: answer.deniedScopes,
    purpose,
    grantedAt: ctx.now.toISOString(),
    expiresAt: answer.expiresAt.toISOString(),
  };
}

/** For verbs that grant: part of their transaction and their event. */
export async function insertReceipt(
  client: PoolClient,
  { profileId, receipt }: { profileId: number; receipt: AccessReceipt },
): Promise<void> {
  const { type, description, legalBasis, retention } = receipt.purpose;
  await client.query({
    name: "insert-receipt",
    text: `INSERT INTO "Receipt" (id, "profileId", "agentDid", "grantedScopes", "deniedScopes",
             "purposeType", "purposeDescription", "legalBasis", retention, "grantedAt", "expiresAt")
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      receipt.receiptId,
      profileId,
      receipt.agentDid,
      receipt.grantedScopes,
      receipt.deniedScopes,
      type,
      description,
      legalBasis,
      retention,
      receipt.grantedAt,
      receipt.expiresAt,
    ],
  });
}

// Purposes are an open vocabulary: without an end one agent could bury everybody's requests.
const pendingPurposesMax = 10;

// One pending request an agent and purpose: repeats join it. What the owner may be reading already, the
// words of the purpose, stays as it was first asked. Null where the agent has enough of them waiting.
async function askOwner(
  client: PoolClient,
  { ctx, open, facts, answer, purpose }: Settling,
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
      open.profile.id,
      facts.agent.did,
      answer.askingScopes,
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
