import type { Tx } from "@/lib/engine/db";
import type { Did } from "@/lib/protocol/did";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../../context";
import { insertDenial } from "../../policies/policies";
import { changeProfile } from "../../profile-gate";
import { notifyAgents } from "../../webhooks/notify-agents";
import { findRulesFor } from "../denial/block-agent";
import { denialOf, findDenial } from "../denial/deny-all";
import { holdProposals, isQuarantine, releaseProposals } from "./held";

interface Quarantining {
  did: string;
  agentDid: Did;
}

/**
 * Shuts an agent out without ending anything: a rule denies it everything, and what it proposed is held apart. In one
 * transaction, so that its very next request is refused.
 */
export async function quarantineAgent(
  ctx: Ctx,
  { did, agentDid }: Quarantining,
): Promise<{ held: number }> {
  return changeProfile(ctx, { verb: "quarantineAgent", did }, async ({ tx, profile, record }) => {
    const whose = { profileId: profile.id, agentDid, now: ctx.now };
    if (await isQuarantined(tx, whose)) {
      throw invalidRequest([{ path: "agentDid", message: "It is in quarantine already." }]);
    }
    const isBlocked = (await findDenial(tx, { ...whose, agentPattern: agentDid })) !== null;
    const policy = { ...denialOf(agentDid), origin: "quarantine" as const };
    const policyId = await insertDenial(tx, { ...whose, policy });
    const held = await holdProposals(tx, whose);
    await record({ subjectId: agentDid, detail: { agentDid, policyId, held } });
    if (!isBlocked) await notifyAgents(tx, ctx.now, { removed: await findRulesFor(tx, whose) });
    return { held };
  });
}

/** Ends a quarantine as one: the owner's other rules decide again, and what was held waits again. */
export async function liftQuarantine(
  ctx: Ctx,
  { did, agentDid }: Quarantining,
): Promise<{ released: number }> {
  const asking = { verb: "liftQuarantine", did, lasting: true } as const;
  return changeProfile(ctx, asking, async ({ tx, profile, record }) => {
    const whose = { profileId: profile.id, agentDid, now: ctx.now };
    const removed = await tx.$queryRaw<{ id: string }[]>`
      DELETE FROM "Policy" WHERE "profileId" = ${profile.id} AND "agentPattern" = ${agentDid} AND ${isQuarantine}
      RETURNING id`;
    if (removed.length === 0) throw notFound("quarantine");
    const released = await releaseProposals(tx, whose);
    await record({ subjectId: agentDid, detail: { agentDid, released } });
    const isBlocked = (await findDenial(tx, { ...whose, agentPattern: agentDid })) !== null;
    const policies = isBlocked ? [] : (await findRulesFor(tx, whose)).map(({ id }) => id);
    await notifyAgents(tx, ctx.now, { policies });
    return { released };
  });
}

/** Whether the agent is in a quarantine of this profile. */
export async function isQuarantined(
  db: Pick<Tx, "$queryRaw">,
  { profileId, agentDid }: { profileId: number; agentDid: string },
): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    SELECT id FROM "Policy" WHERE "profileId" = ${profileId} AND "agentPattern" = ${agentDid} AND ${isQuarantine} LIMIT 1`;
  return rows.length > 0;
}
