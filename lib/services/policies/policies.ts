import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";
import { invalidRequest, notFound, notNow } from "@/lib/protocol/errors";
import type { PolicyDraft } from "@/lib/rules/templates";
import { demandConfirmed } from "../authority";
import type { Ctx } from "../context";
import { changeProfile } from "../profile-gate";
import { notifyAgents, type RemovedPolicy } from "../webhooks/notify-agents";
import { briefMsMax, keepBounds, keepRows } from "./bounds";
import type { PolicyInput } from "./policy-input";

type Draft = PolicyDraft & { consentRequestId?: string };

/** A rule that the owner writes. */
export async function addPolicy(
  ctx: Ctx,
  { did, policy }: { did: string; policy: PolicyDraft },
): Promise<string> {
  const lasting = opensForGood(policy, ctx.now);
  return changeProfile(ctx, { verb: "editPolicies", did, lasting }, async (open) => {
    const { tx, profile } = open;
    refuseEnd(policy, ctx.now);
    const subjectId = await insertPolicy(tx, { profileId: profile.id, policy, now: ctx.now });
    await open.record({ subjectId, detail: { added: policy } });
    return subjectId;
  });
}

export interface PolicyEdit {
  did: string;
  policyId: string;
  /** When the policy in the form had last changed. */
  shownAs: Date;
  policy: PolicyInput;
}

/** Protocol 5: only the owner's own rules; others record an agreement. */
export async function editPolicy(ctx: Ctx, { did, policyId, shownAs, policy }: PolicyEdit) {
  await changeProfile(ctx, { verb: "editPolicies", did, lasting: true }, async (open) => {
    const { tx } = open;
    refuseEnd(policy, ctx.now);
    const profileId = open.profile.id;
    // Every change moves `updatedAt`, because the form detects changes by it.
    const shown = await tx.policy.findUnique({
      where: { id: policyId, profileId, origin: "owner", updatedAt: shownAs },
    });
    if (shown === null) throw await whyNotEdited(tx, { profileId, policyId });
    await rewrite(tx, { row: shown, policy, now: ctx.now });
    await open.record({
      subjectId: policyId,
      detail: { edited: policy, before: columnsOf(shown) },
    });
    await notifyAgents(tx, ctx.now, { removed: lostBy(shown, policy) });
  });
}

type Row = PolicyInput & { id: string; profileId: number; updatedAt: Date };

/** Gives a rule other terms. Part of a transaction that has locked the profile. */
export async function rewrite(
  tx: Tx,
  { row: { id, profileId, updatedAt }, policy, now }: { row: Row; policy: PolicyInput; now: Date },
): Promise<void> {
  const data = { ...columnsOf(policy), updatedAt: laterThan(updatedAt, now) };
  await tx.policy.update({ where: { id }, data });
  await keepBounds(tx, { profileId, now });
}

type Opening = Pick<PolicyInput, "agentPattern" | "allow">;

/** The rule as it was before a rewrite, if the agents that it let in get nothing by it any more. */
export function lostBy(
  {
    id,
    profileId,
    enabled,
    agentPattern,
    allow,
  }: Opening & Pick<Row, "id" | "profileId"> & { enabled: boolean },
  to: Opening,
): RemovedPolicy[] {
  const isLost = enabled && (to.allow.length === 0 || to.agentPattern !== agentPattern);
  return isLost ? [{ id, profileId, agentDid: agentPattern, allow }] : [];
}

export interface PolicySwitch {
  did: string;
  policyId: string;
  enabled: boolean;
}

/** On or off; one that came of a token only while the token lives. */
export async function switchPolicy(ctx: Ctx, { did, policyId, enabled }: PolicySwitch) {
  await changeProfile(ctx, { verb: "editPolicies", did, lasting: enabled }, async (open) => {
    const { tx } = open;
    const [switched] = await tx.$queryRaw<{ deny: string[] }[]>`
      UPDATE "Policy" p SET enabled = ${enabled},
        "updatedAt" = greatest(${ctx.now}::timestamptz, "updatedAt" + interval '1 millisecond')
      WHERE id = ${policyId} AND "profileId" = ${open.profile.id}
        AND (NOT ${enabled}::boolean OR origin <> 'token' OR ${hasLiveToken(ctx.now)})
      RETURNING deny`;
    // What the rule denied may be open now.
    if (switched && switched.deny.length > 0) await demandConfirmed(tx, ctx);
    if (switched === undefined) throw await whyNotSwitched(tx, open.profile.id, policyId);
    if (enabled) await keepBounds(tx, { profileId: open.profile.id, now: ctx.now });
    await open.record({ subjectId: policyId, detail: { enabled } });
    await notifyAgents(tx, ctx.now, { policies: [policyId] });
  });
}

const dayMs = 24 * 60 * 60_000;

/** Whether a new rule opens something for longer than that. */
function opensForGood({ allow, expiresAt }: PolicyDraft, now: Date): boolean {
  const isBrief = expiresAt !== null && expiresAt.getTime() - now.getTime() <= briefMsMax;
  return allow.length > 0 && !isBrief;
}

// Moves with each change: a form with an older value changes nothing unseen.
function laterThan(before: Date, now: Date): Date {
  return new Date(Math.max(now.getTime(), before.getTime() + 1));
}

// Whether a token lives that was issued with `"Policy" p`.
const hasLiveToken = (now: Date) => Prisma.sql`EXISTS (SELECT FROM "ConnectionToken" t
  WHERE t."policyId" = p.id AND t."revokedAt" IS NULL AND t."expiresAt" > ${now})`;

const yearMs = 365.25 * dayMs;

function refuseEnd({ expiresAt }: Pick<PolicyInput, "expiresAt">, now: Date): void {
  if (expiresAt === null) return;
  const ms = expiresAt.getTime() - now.getTime();
  const message = ms <= 0 ? "Must end in the future." : "At most ten years from now.";
  if (ms <= 0 || ms > 10 * yearMs) throw invalidRequest([{ path: "expiresAt", message }]);
}

async function whyNotEdited(
  tx: Tx,
  { profileId, policyId }: { profileId: number; policyId: string },
) {
  const known = await tx.policy.findUnique({
    where: { id: policyId, profileId },
    select: { origin: true },
  });
  if (known === null) {
    return notNow(
      "This rule was removed in the meantime; nothing was changed. What you typed is kept.",
    );
  }
  return known.origin === "owner"
    ? notNow(
        "This rule was changed elsewhere in the meantime; nothing was changed here. What you typed is kept: open the rule again to see how it stands.",
      )
    : notNow("Only a rule of your own can be edited. This one can be switched off or removed.");
}

async function whyNotSwitched(tx: Tx, profileId: number, policyId: string) {
  const count = await tx.policy.count({ where: { id: policyId, profileId } });
  return count === 0
    ? notFound("policy")
    : notNow("Its connection token has ended. Issue a new one under Connections.");
}

/** Returns what the owner chose of a rule, as a row and an event have it. */
export function columnsOf(policy: PolicyInput | Draft) {
  return {
    agentPattern: policy.agentPattern,
    verifiedOnly: policy.verifiedOnly,
    allow: [...policy.allow],
    deny: [...policy.deny],
    permissions: [...policy.permissions],
    purposes: [...policy.purposes],
    maxRetention: policy.maxRetention,
    receiptSeconds: policy.receiptSeconds,
    expiresAt: policy.expiresAt,
  };
}

export interface Inserted {
  profileId: number;
  policy: Draft;
  now: Date;
}

/** For verbs that grant: part of their transaction and their event, on a profile that they have locked. */
export async function insertPolicy(tx: Tx, inserted: Inserted): Promise<string> {
  const id = await insertRow(tx, inserted);
  await keepBounds(tx, inserted);
  return id;
}

/** Inserts a rule that only denies. It counts as a row alone: revoking and blocking are always possible. */
export async function insertDenial(tx: Tx, inserted: Inserted): Promise<string> {
  const id = await insertRow(tx, inserted);
  await keepRows(tx, inserted);
  return id;
}

async function insertRow(tx: Tx, { profileId, policy, now }: Inserted): Promise<string> {
  const id = newId("pol");
  const { origin, consentRequestId } = policy;
  const times = { createdAt: now, updatedAt: now };
  await tx.policy.create({
    data: { id, profileId, ...columnsOf(policy), origin, consentRequestId, ...times },
    select: { id: true },
  });
  return id;
}
