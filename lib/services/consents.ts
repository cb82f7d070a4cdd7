import type { PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import type { Did } from "@/lib/protocol/did";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import { type AccessReceipt, knownRetentions } from "@/lib/protocol/resources";
import { covers, type Scope } from "@/lib/protocol/scope";
import { type ConsentChoice, consentExpiresAt, receiptSecondsMax } from "@/lib/rules/access";
import type { Ctx } from "./context";
import { type OpenProfile, onProfile } from "./open-profile";
import { insertPolicy } from "./policies";
import { insertReceipt } from "./receipts";

export interface PendingConsent {
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

export interface ConsentDecision {
  did: string;
  requestId: string;
  /** All, some or none of what was asked, or narrower. */
  scopes: readonly Scope[];
  choice: ConsentChoice;
}

/** What waits for the owner, oldest first. */
export async function listPendingConsents(ctx: Ctx, did: string): Promise<PendingConsent[]> {
  return onProfile(ctx, { verb: "decideConsent", did }, async ({ profile }) => {
    const { rows } = await ctx.pool.query<PendingConsent>(
      `SELECT id, "agentDid", scopes, "purposeType", "purposeDescription", "legalBasis", retention,
         "timesAsked", "requestedAt"
       FROM "ConsentRequest" WHERE "profileId" = $1 AND status = 'pending'
       ORDER BY "requestedAt", id LIMIT 100`,
      [profile.id],
    );
    return rows;
  });
}

/** Decisions 6, Consent: a grant is a policy for exactly that agent, and the receipt it asked for. */
export async function decideConsent(ctx: Ctx, decision: ConsentDecision): Promise<void> {
  await onProfile(ctx, { verb: "decideConsent", did: decision.did }, (open) =>
    inTransaction(ctx.pool, async (client) => {
      const request = await close(client, { ctx, open, decision });
      refuseOthers(request, decision.scopes);
      if (decision.scopes.length > 0) await grant(client, { ctx, open, decision, request });
      await open.record(client, {
        asked: request.scopes,
        granted: decision.scopes,
        denied: request.scopes.filter((scope) => !decision.scopes.includes(scope)),
        purposeType: request.purposeType,
        subjectId: request.id,
        detail: { agentDid: request.agentDid, choice: decision.choice },
      });
    }),
  );
}

interface Deciding {
  ctx: Ctx;
  open: OpenProfile;
  decision: ConsentDecision;
}

// Like a review: the update decides who was first.
async function close(client: PoolClient, { ctx, open, decision }: Deciding) {
  const { rows } = await client.query<PendingConsent>(
    `UPDATE "ConsentRequest" SET status = $3::"ConsentStatus", "grantedScopes" = $4, "decidedAt" = $5
     WHERE id = $1 AND "profileId" = $2 AND status = 'pending' RETURNING *`,
    [
      decision.requestId,
      open.profile.id,
      decision.scopes.length > 0 ? "granted" : "denied",
      decision.scopes,
      ctx.now,
    ],
  );
  const [request] = rows;
  if (request !== undefined) return request;
  const { rows: known } = await client.query<{ status: string }>(
    `SELECT status FROM "ConsentRequest" WHERE id = $1 AND "profileId" = $2`,
    [decision.requestId, open.profile.id],
  );
  const [decided] = known;
  if (decided === undefined) throw notFound("consent request");
  const message = `This request was ${decided.status} already; nothing was changed.`;
  throw invalidRequest([{ path: "requestId", message }], { status: decided.status });
}

function refuseOthers(request: PendingConsent, granted: readonly Scope[]): void {
  const others = granted.filter((scope) => !request.scopes.some((asked) => covers(asked, scope)));
  if (others.length === 0) return;
  const message = `Was not asked for: ${others.join(", ")}.`;
  throw invalidRequest([{ path: "scopes", message }]);
}

type Granting = Deciding & { request: PendingConsent };

async function grant(client: PoolClient, { ctx, open, decision, request }: Granting) {
  const receiptEndsAt = new Date(ctx.now.getTime() + receiptSecondsMax * 1_000);
  const { choice } = decision;
  await insertPolicy(client, {
    profileId: open.profile.id,
    now: ctx.now,
    policy: {
      agentPattern: request.agentDid,
      verifiedOnly: false,
      allow: decision.scopes,
      deny: [],
      permissions: ["read"],
      purposes: [request.purposeType],
      maxRetention: rankable(request.retention),
      receiptSeconds: null,
      expiresAt: consentExpiresAt({ choice, receiptExpiresAt: receiptEndsAt, now: ctx.now }),
      origin: "consent",
      consentRequestId: request.id,
    },
  });
  const receipt: AccessReceipt = {
    receiptId: newId("rcpt"),
    userDid: open.profile.did,
    agentDid: request.agentDid,
    grantedScopes: [...decision.scopes],
    deniedScopes: request.scopes.filter((scope) => !decision.scopes.includes(scope)),
    purpose: {
      type: request.purposeType,
      description: request.purposeDescription ?? undefined,
      legalBasis: request.legalBasis ?? undefined,
      retention: request.retention ?? undefined,
    },
    grantedAt: ctx.now.toISOString(),
    expiresAt: receiptEndsAt.toISOString(),
  };
  await insertReceipt(client, { profileId: open.profile.id, receipt });
}

// A retention that nobody can rank could never be kept to: then the purpose alone is the condition.
function rankable(retention: string | null): string | null {
  return (knownRetentions as readonly string[]).includes(retention ?? "") ? retention : null;
}
