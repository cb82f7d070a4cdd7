import type { PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import { gathered, patience } from "@/lib/engine/gathered";
import { newId } from "@/lib/engine/random";
import { consentRequired, forbidden } from "@/lib/protocol/errors";
import type { AccessReceipt, Purpose } from "@/lib/protocol/resources";
import type { Scope } from "@/lib/protocol/scope";
import { type AccessAnswer, answerAccess } from "@/lib/rules/access";
import type { Facts } from "@/lib/rules/facts";
import { type EventDraft, type EventRow, insertEvents } from "../audit/record";
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
    const { receipt, consentRequestId } = await settle({ ctx, open, facts, answer, purpose });
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

// Whoever asks for nothing that the owner would have to decide is answered by one statement.
async function settle(settling: Settling) {
  const { ctx, open, answer } = settling;
  const receipt = answer.grantedScopes.length > 0 ? receiptOf(settling) : null;
  if (receipt !== null && answer.askingScopes.length === 0) {
    const row = receiptRow(open.profile.id, receipt);
    await open.recordWith(told(settling, receipt, null), async (event) => {
      await insertTold(ctx.pool, { receipt: row, event });
      return receipt;
    });
    return { receipt, consentRequestId: null };
  }
  return inTransaction(ctx.pool, async (client) => {
    const consentRequestId =
      answer.askingScopes.length > 0 ? await askOwner(client, settling) : null;
    if (receipt !== null) await insertReceipt(client, { profileId: open.profile.id, receipt });
    await open.record(client, told(settling, receipt, consentRequestId));
    return { receipt, consentRequestId };
  });
}

function told(
  { answer, purpose }: Settling,
  receipt: AccessReceipt | null,
  subjectId: string | null,
): Omit<EventDraft, "verb"> {
  return {
    outcome: receipt === null ? "PROF004" : "ok",
    granted: answer.grantedScopes,
    denied: answer.deniedScopes,
    reasons: answer.reasons,
    purposeType: purpose.type,
    receiptId: receipt?.receiptId,
    subjectId,
  };
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

const columns = `id, "profileId", "agentDid", "grantedScopes", "deniedScopes", "purposeType",
  "purposeDescription", "legalBasis", retention, "grantedAt", "expiresAt"`;

const insertReceipts = `
  INSERT INTO "Receipt" (${columns})
  SELECT ${columns} FROM json_populate_recordset(NULL::"Receipt", $1)`;

function receiptRow(profileId: number, receipt: AccessReceipt) {
  const { agentDid, grantedScopes, deniedScopes, purpose, grantedAt, expiresAt } = receipt;
  return {
    id: receipt.receiptId,
    profileId,
    agentDid,
    grantedScopes,
    deniedScopes,
    purposeType: purpose.type,
    purposeDescription: purpose.description,
    legalBasis: purpose.legalBasis,
    retention: purpose.retention,
    grantedAt,
    expiresAt,
  };
}

/** For verbs that grant: part of their transaction and their event. */
export async function insertReceipt(
  client: PoolClient,
  { profileId, receipt }: { profileId: number; receipt: AccessReceipt },
): Promise<void> {
  const rows = JSON.stringify([receiptRow(profileId, receipt)]);
  await client.query({ name: "insert-receipt", text: insertReceipts, values: [rows] });
}

const insertTold = gathered<{ receipt: ReturnType<typeof receiptRow>; event: EventRow }, object>({
  name: "insert-told-receipts",
  text: `
    WITH patience AS (SELECT set_config('lock_timeout', $3, true)),
      given AS (${insertReceipts}, patience)
    ${insertEvents("$2")}`,
  values: (all) => [
    JSON.stringify(all.map(({ receipt }) => receipt)),
    JSON.stringify(all.map(({ event }) => event)),
    patience(all),
  ],
});

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
