import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";
import type { Did } from "@/lib/protocol/did";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { AccessReceipt } from "@/lib/protocol/resources";
import { covers, deniedScopesMax, type Scope } from "@/lib/protocol/scope";
import {
  type AccessAnswer,
  answerAccess,
  type ConsentChoice,
  consentExpiresAt,
  grantedReceiptExpiresAt,
  refusedUntil,
} from "@/lib/rules/access";
import { consentPolicy, factsAfterConsent, openedByConsent } from "@/lib/rules/consent";
import type { Ctx } from "../context";
import { loadFacts } from "../facts";
import { insertPolicy } from "../policies/policies";
import { changeProfile, type OpenChange, withProfile } from "../profile-gate";
import { insertReceipt } from "../receipts/receipts";
import { notifyAgents } from "../webhooks/notify-agents";
import { type GrantDelta, truncateIds } from "./grant-delta";
import { type NamedAgent, namedAgent } from "./named-agent";

interface ConsentRequest {
  id: string;
  agentDid: Did;
  scopes: Scope[];
  purposeType: string;
  purposeDescription: string | null;
  legalBasis: string | null;
  retention: string | null;
  timesAsked: number;
  requestedAt: Date;
}

export interface AskingAgent extends NamedAgent {
  operator: string | null;
  description: string | null;
  /** A suspended agent reads nothing, whatever it is granted. */
  suspended: boolean;
}

export interface PendingConsent extends ConsentRequest {
  agent: AskingAgent;
  /** When the connection that asks ends, and a grant with it; null of an agent that signs. */
  connectedUntil: Date | null;
}

export interface KnownConsent extends PendingConsent {
  status: "pending" | "granted" | "denied";
  grantedScopes: Scope[];
  decidedAt: Date | null;
  /** Until when the agent cannot ask again for what the answer left out; null where it can. */
  refusedUntil: Date | null;
  /** The present state of the grant; null expiry means until revoked. */
  grant: { enabled: boolean; expiresAt: Date | null } | null;
}

export interface ConsentDecision {
  did: string;
  requestId: string;
  /** All, some or none of the requested scopes, or narrower ones. */
  scopes: readonly Scope[];
  choice: ConsentChoice;
}

export interface ConsentsQuery {
  /** The last request of the page before. */
  after?: { at: Date; id: string };
  limit?: number;
}

/** Lists pending requests, oldest first, so that new ones move nothing. */
export async function listPendingConsents(
  ctx: Ctx,
  did: string,
  { after, limit = 100 }: ConsentsQuery = {},
): Promise<PendingConsent[]> {
  return withProfile(ctx, { verb: "decideConsent", did }, async ({ profile }) => {
    const isAfter = after
      ? Prisma.sql`(c."requestedAt", c.id) > (${after.at}, ${after.id})`
      : Prisma.sql`true`;
    const rows = await ctx.db.$queryRaw<
      PendingConsent[]
    >`SELECT ${requestColumns} FROM "ConsentRequest" c LEFT JOIN "Agent" a ON a.did = c."agentDid"
       WHERE c."profileId" = ${profile.id} AND c.status = 'pending'
         AND ${isAfter}
       ORDER BY c."requestedAt", c.id LIMIT ${limit}`;
    return rows;
  });
}

/** Returns one request, pending or decided; null if this profile has none of that id. */
export async function findConsent(
  ctx: Ctx,
  { did, requestId }: { did: string; requestId: string },
): Promise<KnownConsent | null> {
  return withProfile(ctx, { verb: "decideConsent", did }, async ({ profile }) => {
    const rows = await ctx.db.$queryRaw<
      (KnownConsent & { expiresAt: Date | null })[]
    >`SELECT ${requestColumns}, c.status, c."grantedScopes", c."decidedAt", c."refusedUntil", g."expiresAt",
         CASE WHEN g.id IS NULL THEN NULL ELSE jsonb_build_object('enabled', g.enabled) END AS grant
       FROM "ConsentRequest" c LEFT JOIN "Agent" a ON a.did = c."agentDid"
       LEFT JOIN "Policy" g ON g."consentRequestId" = c.id
       WHERE c.id = ${requestId} AND c."profileId" = ${profile.id} LIMIT 1`;
    const [row] = rows;
    if (row === undefined) return null;
    const { expiresAt, grant, ...request } = row;
    return { ...request, grant: grant === null ? null : { enabled: grant.enabled, expiresAt } };
  });
}

const requestColumns = Prisma.sql`c.id, c."agentDid", c.scopes, c."purposeType", c."purposeDescription",
  c."legalBasis", c.retention, c."timesAsked", c."requestedAt",
  (SELECT "expiresAt" FROM "ConnectionToken" WHERE id = c."tokenId") AS "connectedUntil",
  ${namedAgent("c")} || jsonb_build_object('operator', a.operator, 'description', a.description,
    'suspended', coalesce(a.state = 'suspended', false)) AS agent`;

/** Protocol 6, Consent: a grant is a policy for exactly that agent, with the receipt it asked for. */
export async function decideConsent(
  ctx: Ctx,
  decision: ConsentDecision,
): Promise<{ eventId: string }> {
  const { did } = decision;
  const isShort = decision.choice === "once" || decision.choice === "1d";
  const lasting = decision.scopes.length > 0 && !isShort;
  return changeProfile(ctx, { verb: "decideConsent", did, lasting }, async (open) => {
    const { tx } = open;
    const request = await findPending(tx, { open, decision });
    refuseOthers(request.scopes, decision.scopes);
    const granting = { ctx, open, decision, request };
    const given = decision.scopes.length > 0 ? await openedNow(tx, granting) : null;
    const granted = given?.scopes ?? [];
    await tx.consentRequest.update({
      where: { id: request.id },
      data: {
        status: given === null ? "denied" : "granted",
        grantedScopes: granted,
        decidedAt: ctx.now,
        refusedUntil: refusedUntil(ctx.now),
      },
    });
    const began = given === null ? {} : await grant(tx, granting, given);
    const eventId = await open.record({
      asked: request.scopes,
      granted,
      denied: request.scopes.filter((scope) => !granted.includes(scope)),
      purposeType: request.purposeType,
      subjectId: request.id,
      detail: {
        agentDid: request.agentDid,
        choice: decision.choice,
        ended: truncateIds({ requests: [request.id] }),
        began: truncateIds(began),
      },
    });
    await notifyAgents(tx, ctx.now, { requests: [request.id] });
    return { eventId };
  });
}

interface Deciding {
  ctx: Ctx;
  open: OpenChange;
  decision: ConsentDecision;
}

// The profile's lock decides who was first.
async function findPending(tx: Tx, { open, decision }: Omit<Deciding, "ctx">) {
  const request = await tx.consentRequest.findUnique({
    where: { id: decision.requestId, profileId: open.profile.id },
  });
  if (request === null) throw notFound("consent request");
  if (request.status === "pending") return request;
  const message = `This request was ${request.status} already; nothing was changed.`;
  throw invalidRequest([{ path: "requestId", message }], { status: request.status });
}

/** An owner grants what was wanted, or parts of it, and nothing else. */
export function refuseOthers(wanted: readonly Scope[], granted: readonly Scope[]): void {
  const others = granted.filter((scope) => !wanted.some((one) => covers(one, scope)));
  if (others.length === 0) return;
  const message = `Was not asked for: ${others.join(", ")}.`;
  throw invalidRequest([{ path: "scopes", message }]);
}

type Granting = Deciding & { request: ConsentRequest };

interface Given {
  scopes: Scope[];
  /** What the rules answer with the grant. */
  answer: AccessAnswer;
}

/** Leaves out what a rule or the ceiling keeps closed by now. A deleted agent gets nothing. */
async function openedNow(tx: Tx, { ctx, open, decision, request }: Granting): Promise<Given> {
  const caller = { kind: "agent", did: request.agentDid } as const;
  const input = { profileDid: open.profile.did, caller, now: ctx.now };
  const { facts } = await loadFacts(tx, input);
  const consented = { consent: request, scopes: decision.scopes };
  const scopes = facts === null ? [] : openedByConsent(facts, consented);
  if (facts === null || scopes.length === 0) {
    const message = "A rule or an admin's limit keeps all of this closed. Nothing was granted.";
    throw invalidRequest([{ path: "scopes", message }]);
  }
  const after = factsAfterConsent(facts, { consent: request, scopes });
  const purpose = { type: request.purposeType, retention: request.retention ?? undefined };
  return { scopes, answer: answerAccess({ ...after, purpose }, scopes) };
}

async function grant(
  tx: Tx,
  { ctx, open, decision, request }: Granting,
  { scopes, answer }: Given,
): Promise<GrantDelta> {
  const expiresAt = consentExpiresAt(decision.choice, ctx.now);
  const policyId = await insertPolicy(tx, {
    profileId: open.profile.id,
    now: ctx.now,
    policy: { ...consentPolicy(request, { scopes, expiresAt }), consentRequestId: request.id },
  });
  // A receipt names whole scopes; of these, only parts may be open.
  if (answer.grantedScopes.length === 0) return { policies: [policyId] };
  const leftOut = request.scopes.filter((scope) => !scopes.includes(scope));
  const receipt: AccessReceipt = {
    receiptId: newId("rcpt"),
    userDid: open.profile.did,
    agentDid: request.agentDid,
    grantedScopes: answer.grantedScopes,
    deniedScopes: [...new Set([...leftOut, ...answer.deniedScopes])].slice(0, deniedScopesMax),
    purpose: {
      type: request.purposeType,
      description: request.purposeDescription ?? undefined,
      legalBasis: request.legalBasis ?? undefined,
      retention: request.retention ?? undefined,
    },
    grantedAt: ctx.now.toISOString(),
    expiresAt: grantedReceiptExpiresAt(expiresAt, ctx.now).toISOString(),
  };
  await insertReceipt(tx, { profileId: open.profile.id, receipt });
  return { policies: [policyId], receipts: [receipt.receiptId] };
}
