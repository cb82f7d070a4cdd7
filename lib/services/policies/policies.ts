import type { PoolClient } from "pg";
import { newId } from "@/lib/engine/random";
import { invalidRequest, notFound, notNow } from "@/lib/protocol/errors";
import type { PolicyOrigin } from "@/lib/rules/facts";
import type { PolicyDraft } from "@/lib/rules/templates";
import { demandConfirmed } from "../authority";
import type { Ctx } from "../context";
import { changeProfile } from "../open-profile";
import { briefMsMax, dropRulesOutOfForce, keepBounds } from "./bounds";
import type { PolicyInput } from "./policy-input";

type Draft = PolicyDraft & { consentRequestId?: string };

/** A rule that the owner writes. */
export async function addPolicy(
  ctx: Ctx,
  { did, policy }: { did: string; policy: PolicyDraft },
): Promise<string> {
  const lasting = opensForGood(policy, ctx.now);
  return changeProfile(ctx, { verb: "editPolicies", did, lasting }, async (open) => {
    const { client, profile } = open;
    refuseEnd(policy, ctx.now);
    const subjectId = await insertPolicy(client, { profileId: profile.id, policy, now: ctx.now });
    await open.record({ subjectId, detail: { added: policy } });
    return subjectId;
  });
}

export interface PolicyEdit {
  did: string;
  policyId: string;
  /** When what the form was filled with had last changed. */
  shownAs: Date;
  policy: PolicyInput;
}

/** Protocol 5: only a rule of the owner's own; the others stand for something that was agreed on. */
export async function editPolicy(ctx: Ctx, { did, policyId, shownAs, policy }: PolicyEdit) {
  await changeProfile(ctx, { verb: "editPolicies", did, lasting: true }, async (open) => {
    const { client } = open;
    refuseEnd(policy, ctx.now);
    const profileId = open.profile.id;
    // An hour that is the same is not a change that can be told: each one moves it.
    const { rowCount } = await client.query(
      `UPDATE "Policy" SET "agentPattern" = $5, "verifiedOnly" = $6, allow = $7, deny = $8,
           permissions = $9, purposes = $10, "maxRetention" = $11, "receiptSeconds" = $12,
           "expiresAt" = $13, "updatedAt" = ${touched}
         WHERE id = $1 AND "profileId" = $2 AND origin = 'owner' AND "updatedAt" = $4`,
      [policyId, profileId, ctx.now, shownAs, ...columnsOf(policy)],
    );
    if (rowCount === 0) throw await whyNotEdited(client, { profileId, policyId });
    await keepBounds(client, { profileId, now: ctx.now });
    await open.record({ subjectId: policyId, detail: { edited: policy } });
  });
}

export interface PolicySwitch {
  did: string;
  policyId: string;
  enabled: boolean;
}

/** On or off; one that came of a token only while the token lives. */
export async function switchPolicy(ctx: Ctx, { did, policyId, enabled }: PolicySwitch) {
  await changeProfile(ctx, { verb: "editPolicies", did, lasting: enabled }, async (open) => {
    const { client } = open;
    const { rows } = await client.query<{ deny: string[] }>(
      `UPDATE "Policy" p SET enabled = $4, "updatedAt" = ${touched}
         WHERE id = $1 AND "profileId" = $2 AND (NOT $4 OR origin <> 'token' OR ${hasToken("p.id")})
       RETURNING deny`,
      [policyId, open.profile.id, ctx.now, enabled],
    );
    const [switched] = rows;
    // What it denied may be open now.
    if (switched && switched.deny.length > 0) await demandConfirmed(client, ctx);
    if (switched === undefined) throw await whyNotSwitched(client, open.profile.id, policyId);
    if (enabled) await keepBounds(client, { profileId: open.profile.id, now: ctx.now });
    await open.record({ subjectId: policyId, detail: { enabled } });
  });
}

const dayMs = 24 * 60 * 60_000;

/** Whether a new rule opens something for longer than that. */
function opensForGood({ allow, expiresAt }: PolicyDraft, now: Date): boolean {
  const isBrief = expiresAt !== null && expiresAt.getTime() - now.getTime() <= briefMsMax;
  return allow.length > 0 && !isBrief;
}

const touched = `greatest($3, "updatedAt" + interval '1 millisecond')`;

/** Whether a token lives that was issued with this policy; `$3` is now. */
export function hasToken(policyId: string): string {
  return `EXISTS (SELECT FROM "ConnectionToken" t WHERE t."policyId" = ${policyId}
    AND t."revokedAt" IS NULL AND t."expiresAt" > $3)`;
}

const yearMs = 365.25 * dayMs;

function refuseEnd({ expiresAt }: Pick<PolicyInput, "expiresAt">, now: Date): void {
  if (expiresAt === null) return;
  const ms = expiresAt.getTime() - now.getTime();
  const message = ms <= 0 ? "Must end in the future." : "At most ten years from now.";
  if (ms <= 0 || ms > 10 * yearMs) throw invalidRequest([{ path: "expiresAt", message }]);
}

async function whyNotEdited(
  client: PoolClient,
  { profileId, policyId }: { profileId: number; policyId: string },
) {
  const { rows } = await client.query<{ origin: PolicyOrigin }>(
    `SELECT origin FROM "Policy" WHERE id = $1 AND "profileId" = $2`,
    [policyId, profileId],
  );
  const [known] = rows;
  if (known === undefined) {
    return notNow("This rule was removed meanwhile; nothing was changed. What you typed is kept.");
  }
  return known.origin === "owner"
    ? notNow(
        "This rule was changed elsewhere meanwhile; nothing was changed here. What you typed is kept: open the rule again to see how it stands.",
      )
    : notNow("Only a rule of your own can be edited. This one can be switched off or removed.");
}

async function whyNotSwitched(client: PoolClient, profileId: number, policyId: string) {
  const { rowCount } = await client.query(
    `SELECT FROM "Policy" WHERE id = $1 AND "profileId" = $2`,
    [policyId, profileId],
  );
  return rowCount === 0
    ? notFound("policy")
    : notNow("Its connection token has ended. Issue a new one under Connections.");
}

function columnsOf(policy: PolicyInput): unknown[] {
  return [
    policy.agentPattern,
    policy.verifiedOnly,
    policy.allow,
    policy.deny,
    policy.permissions,
    policy.purposes,
    policy.maxRetention,
    policy.receiptSeconds,
    policy.expiresAt,
  ];
}

export interface Inserted {
  profileId: number;
  policy: Draft;
  now: Date;
}

/** For verbs that grant: part of their transaction and their event, on a profile that they have locked. */
export async function insertPolicy(client: PoolClient, inserted: Inserted): Promise<string> {
  const id = await insertRow(client, inserted);
  await keepBounds(client, inserted);
  return id;
}

/** Inserts a rule in place of one that was just switched off. No bound refuses it: revoking is always possible. */
export async function insertInPlace(client: PoolClient, inserted: Inserted): Promise<string> {
  const id = await insertRow(client, inserted);
  await dropRulesOutOfForce(client, inserted);
  return id;
}

async function insertRow(
  client: PoolClient,
  { profileId, policy, now }: Inserted,
): Promise<string> {
  const id = newId("pol");
  await client.query(
    `INSERT INTO "Policy" (id, "profileId", "agentPattern", "verifiedOnly", allow, deny, permissions,
       purposes, "maxRetention", "receiptSeconds", "expiresAt", origin, "consentRequestId",
       "createdAt", "updatedAt")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`,
    [
      id,
      profileId,
      policy.agentPattern,
      policy.verifiedOnly,
      policy.allow,
      policy.deny,
      policy.permissions,
      policy.purposes,
      policy.maxRetention,
      policy.receiptSeconds,
      policy.expiresAt,
      policy.origin satisfies PolicyOrigin,
      policy.consentRequestId,
      now,
    ],
  );
  return id;
}
