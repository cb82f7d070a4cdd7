import type { PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import { gathered, patience } from "@/lib/engine/gathered";
import { newId } from "@/lib/engine/random";
import { type ConsentState, consentRequired, forbidden } from "@/lib/protocol/errors";
import type { AccessReceipt, Purpose } from "@/lib/protocol/resources";
import type { Scope } from "@/lib/protocol/scope";
import { type AccessAnswer, answerAccess, withRefusals } from "@/lib/rules/access";
import type { Facts } from "@/lib/rules/facts";
import { type EventDraft, type EventRow, insertEvents } from "../audit/record";
import type { Ctx } from "../context";
import { type OpenProfile, onProfile } from "../open-profile";
import { askOwner, refusedScopes } from "./ask-owner";

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
    const settled = await settle({ ctx, open, facts, answer, purpose });
    const { receipt, consentRequestId, state } = settled;
    if (receipt !== null) return { data: receipt };
    const consentUrl = `${origin}/dashboard/access?request=${consentRequestId}`;
    const asked = consentRequestId === null ? {} : { consentRequestId, consentUrl };
    throw consentRequired({ scopes: answer.deniedScopes, state, ...asked });
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
async function settle(settling: Settling): Promise<Settled> {
  const { ctx, open, answer, purpose } = settling;
  const receipt = answer.grantedScopes.length > 0 ? receiptOf(settling) : null;
  if (receipt !== null && answer.askingScopes.length === 0) {
    const row = receiptRow(open.profile.id, receipt);
    await open.recordWith(told(settling, receipt, null), async (event) => {
      await insertTold(ctx.pool, { receipt: row, event });
      return receipt;
    });
    return { receipt, consentRequestId: null, state: "denied" };
  }
  return inTransaction(ctx.pool, async (client) => {
    const agentDid = settling.facts.agent.did;
    const question = { ctx, profileId: open.profile.id, agentDid, purpose };
    const asking = answer.askingScopes.length > 0;
    const refused = asking ? await refusedScopes(client, question) : [];
    const left = withRefusals(answer, refused);
    const scopes = left.askingScopes;
    const consentRequestId =
      scopes.length > 0 ? await askOwner(client, { ...question, scopes }) : null;
    if (receipt !== null) await insertReceipt(client, { profileId: open.profile.id, receipt });
    await open.record(client, told({ ...settling, answer: left }, receipt, consentRequestId));
    return { receipt, consentRequestId, state: scopes.length > 0 ? "waiting" : "denied" };
  });
}

interface Settled {
  receipt: AccessReceipt | null;
  consentRequestId: string | null;
  /** Of what is not granted. */
  state: ConsentState;
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
    reasons: Object.fromEntries(answer.decisions.map(({ scope, reason }) => [scope, reason])),
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
