import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { batched, jsonOf, lockTimeoutOf } from "@/lib/engine/query-batcher";
import { newId } from "@/lib/engine/random";
import { type ConsentState, consentRequired, forbidden } from "@/lib/protocol/errors";
import type { AccessReceipt, Purpose } from "@/lib/protocol/resources";
import type { Scope } from "@/lib/protocol/scope";
import { type AccessAnswer, answerAccess, consentState, withRefusals } from "@/lib/rules/access";
import type { Facts } from "@/lib/rules/facts";
import { askToResume } from "../access/quarantine/ask-to-resume";
import { type EventDraft, type EventRow, insertEvents } from "../audit/record";
import { AuthorityChanged, type Claim, changeByClaim, claimOf } from "../authority";
import type { Ctx } from "../context";
import { type OpenProfile, withProfile } from "../profile-gate";
import { askOwner, pendingPurposesMax, refusedScopes } from "./ask-owner";

export interface AccessInput {
  did: string;
  scopes: readonly Scope[];
  purpose: Purpose;
  /** Where the owner decides. */
  origin: string;
}

/** Spec, Endpoints 2. */
export async function requestAccess(
  ctx: Ctx,
  { did, scopes, purpose, origin }: AccessInput,
): Promise<{ data: AccessReceipt }> {
  return withProfile(ctx, { verb: "requestAccess", did, scopes }, async (open) => {
    if (open.facts === null) throw forbidden();
    const facts = { ...open.facts, purpose };
    const answer = answerAccess(facts, scopes);
    const settled = await settle({ ctx, open, facts, answer, purpose });
    const { receipt, consentRequestId, state, named } = settled;
    if (receipt !== null) return { data: receipt };
    const consentUrl = `${origin}/dashboard/access?request=${consentRequestId}`;
    const input = consentRequestId === null ? {} : { consentRequestId, consentUrl };
    const pendingMax = state === "ask" ? pendingPurposesMax : undefined;
    throw consentRequired({ scopes: answer.deniedScopes, named, state, pendingMax, ...input });
  });
}

interface Settling {
  ctx: Ctx;
  open: OpenProfile;
  facts: Facts;
  answer: AccessAnswer;
  purpose: Purpose;
}

// A request that leaves the owner nothing to decide is answered by one statement.
async function settle(settling: Settling): Promise<Settled> {
  const { ctx, open, answer, purpose } = settling;
  const receipt = answer.grantedScopes.length > 0 ? receiptOf(settling) : null;
  const claim = claimOf(ctx, open.profile, Object.values(answer.reasons));
  if (receipt !== null && answer.askingScopes.length === 0) {
    const row = receiptRow(open.profile.id, receipt);
    await open.recordWith(eventFor(settling, receipt, null), async (event) => {
      const written = await insertEvent(ctx.pool, { claim, receipt: row, event });
      if (written === undefined) throw new AuthorityChanged();
      return receipt;
    });
    return { receipt, consentRequestId: null, state: "denied" };
  }
  const { ownerId } = open.profile;
  return changeByClaim(ctx, { ownerId, claim }, async (tx) => {
    const agentDid = settling.facts.agent.did;
    const question = { ctx, profileId: open.profile.id, agentDid, purpose };
    const asking = answer.askingScopes.length > 0;
    const refused = asking ? await refusedScopes(tx, question) : [];
    const left = withRefusals(answer, refused);
    const scopes = left.askingScopes;
    const consentRequestId =
      scopes.length > 0 ? await askOwner(tx, { ...question, userId: ownerId, scopes }) : null;
    if (receipt !== null) await insertReceipt(tx, { profileId: open.profile.id, receipt });
    const reasons = Object.values(answer.reasons);
    const resume = await askToResume(tx, { agentDid, now: ctx.now, purpose, reasons });
    const event = eventFor({ ...settling, answer: left }, receipt, consentRequestId);
    await open.record({ ...event, ...(resume && { detail: { resume } }) }, tx);
    const waiting = consentRequestId === null ? [] : scopes;
    const state = consentState({ ...answer, refused, waiting });
    return { receipt, consentRequestId, state, named: scopes[0] };
  });
}

interface Settled {
  receipt: AccessReceipt | null;
  consentRequestId: string | null;
  /** The state of what is not granted. */
  state: ConsentState;
  /** What the owner is asked for. */
  named?: Scope;
}

function eventFor(
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

const columns = Prisma.sql`id, "profileId", "agentDid", "grantedScopes", "deniedScopes", "purposeType",
  "purposeDescription", "legalBasis", retention, "grantedAt", "expiresAt"`;

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
  tx: Tx,
  { profileId, receipt }: { profileId: number; receipt: AccessReceipt },
): Promise<void> {
  await tx.receipt.create({ data: receiptRow(profileId, receipt), select: { id: true } });
}

interface ReceiptEvent {
  claim: Claim;
  receipt: ReturnType<typeof receiptRow>;
  event: EventRow;
}

const insertEvent = batched<ReceiptEvent, object>({
  name: "insert-told-receipts",
  keyOf: ({ receipt }) => receipt.profileId,
  sql: (all) => Prisma.sql`
    WITH held AS MATERIALIZED (
      SELECT a.place, a.value->'receipt' AS receipt, a.value->'event' AS event
      FROM json_array_elements(${JSON.stringify(all.map(({ receipt, event }) => ({ receipt, event })))}::json) WITH ORDINALITY AS a (value, place)
      JOIN hold_authority(${jsonOf(all.map(({ claim }) => claim))}::json, ${lockTimeoutOf(all)}) h ON h.place = a.place
    ), given AS (
      INSERT INTO "Receipt" (${columns})
      SELECT ${columns} FROM json_populate_recordset(NULL::"Receipt", (SELECT json_agg(receipt) FROM held))
    ), told AS (${insertEvents(Prisma.sql`(SELECT json_agg(event) FROM held)`)})
    SELECT place FROM held`,
});
