import type { Tx } from "@/lib/engine/db";
import type { AgentState } from "@/lib/engine/prisma-client/enums";
import type { Did } from "@/lib/protocol/did";
import type { LimitClass } from "@/lib/protocol/endpoints";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import { hashDid } from "../../accounts/new-profile";
import { passingReasons } from "../../agents/agents-of";
import type { Ctx } from "../../context";
import { forgetDeliveries } from "../../webhooks/enqueue";
import { notifyAgents } from "../../webhooks/notify-agents";
import { administer } from "../administer";

/** What an admin decides about an agent. */
interface Standing {
  state: AgentState;
  stateReason: string | null;
  verified: boolean;
  ceiling: readonly Scope[];
  limits: Partial<Record<LimitClass, number>>;
}

/** Activates a registration that waited, and marks it as verified in the same change if asked to. */
export function approveAgent(
  ctx: Ctx,
  { did, verified }: { did: Did; verified?: true },
): Promise<void> {
  const to = { state: "active", stateReason: null, ...(verified && { verified }) } as const;
  return change(ctx, { verb: "approveAgent", did, from: "pending", to });
}

/** The agent stays known as suspended, so that nobody else can register its DID. */
export function refuseAgent(
  ctx: Ctx,
  { did, reason }: { did: Did; reason: string },
): Promise<void> {
  const to = { state: "suspended", stateReason: reason } as const;
  return change(ctx, { verb: "refuseAgent", did, from: "pending", to });
}

/** Everywhere, and with its very next request. */
export function suspendAgent(
  ctx: Ctx,
  { did, reason }: { did: Did; reason: string },
): Promise<void> {
  const to = { state: "suspended", stateReason: reason } as const;
  return change(ctx, { verb: "suspendAgent", did, from: "active", orFor: passingReasons, to });
}

export function resumeAgent(ctx: Ctx, { did }: { did: Did }): Promise<void> {
  const to = { state: "active", stateReason: null } as const;
  return change(ctx, { verb: "resumeAgent", did, from: "suspended", to });
}

export function verifyAgent(
  ctx: Ctx,
  { did, verified }: { did: Did; verified: boolean },
): Promise<void> {
  return change(ctx, { verb: verified ? "verifyAgent" : "unverifyAgent", did, to: { verified } });
}

/** Protocol 5: the most that any user's policy can give it. `prof:*` is no ceiling. */
export function setCeiling(
  ctx: Ctx,
  { did, ceiling }: { did: Did; ceiling: readonly Scope[] },
): Promise<void> {
  return change(ctx, { verb: "setCeiling", did, to: { ceiling } });
}

/** Protocol 7: a class that is left out has the gateway's limit. */
export function setLimits(
  ctx: Ctx,
  { did, limits }: { did: Did; limits: Standing["limits"] },
): Promise<void> {
  return change(ctx, { verb: "setLimits", did, to: { limits } });
}

/** Deletes its keys too. Nobody can register its DID again, unless it was never approved. */
export async function deleteAgent(ctx: Ctx, did: Did): Promise<void> {
  await administer(ctx, { agents: [did] }, async ({ tx, record }) => {
    const rows = await tx.$queryRaw<
      { name: string; state: AgentState }[]
    >`DELETE FROM "Agent" WHERE did = ${did} RETURNING name, state`;
    const [before] = rows;
    if (before === undefined) throw notFound("agent");
    await tx.key.deleteMany({ where: { did } });
    await forgetDeliveries(tx, [did]);
    // Otherwise a stranger could block other agents' names for good.
    if (before.state !== "pending") {
      const data = { didHash: hashDid(did), retiredAt: ctx.now };
      await tx.retiredDid.createMany({ data, skipDuplicates: true });
    }
    await record({ verb: "deleteAgent", subjectId: did, before });
  });
}

interface Change {
  verb: string;
  did: Did;
  /** Only from this state: of two admins who decide at once, the second is told. */
  from?: AgentState;
  /** And from a suspension for one of these reasons. */
  orFor?: readonly string[];
  to: Partial<Standing>;
}

async function change(ctx: Ctx, { verb, did, from, orFor = [], to }: Change): Promise<void> {
  await administer(ctx, { agents: [did] }, async ({ tx, record }) => {
    const rows = await tx.$queryRaw<
      Standing[]
    >`SELECT state, "stateReason", verified, ceiling, limits FROM "Agent" WHERE did = ${did}`;
    const [standing] = rows;
    if (standing === undefined) throw notFound("agent");
    const passes = orFor.includes(standing.stateReason ?? "");
    if (from !== undefined && standing.state !== from && !passes) {
      const message = `It is ${standing.state} already, not ${from}; nothing was changed.`;
      throw invalidRequest([{ path: "did", message }]);
    }
    if (verb === "approveAgent") await refuseOfSuspended(tx, did);
    const after = { ...standing, ...to };
    await tx.$executeRaw`UPDATE "Agent" SET state = ${after.state}, "stateReason" = ${after.stateReason}, verified = ${after.verified}, ceiling = ${after.ceiling}::text[], limits = ${JSON.stringify(after.limits)}::jsonb,
         "updatedAt" = ${ctx.now} WHERE did = ${did}`;
    await record({ verb, subjectId: did, before: picked(standing, to), after: to });
    if (after.state !== standing.state) await notifyAgents(tx, ctx.now, { agents: [did] });
  });
}

async function refuseOfSuspended(tx: Tx, did: Did): Promise<void> {
  const rowCount =
    await tx.$executeRaw`SELECT FROM "Agent" a JOIN "User" u ON u.id = a."registeredBy"
     WHERE a.did = ${did} AND a.origin = 'user' AND u.state = 'suspended'`;
  if (rowCount === 0) return;
  const message =
    "The person who registered it is suspended. Resume them first; nothing was changed.";
  throw invalidRequest([{ path: "did", message }]);
}

function picked(standing: Standing, to: Partial<Standing>): object {
  const names = Object.keys(to);
  return Object.fromEntries(Object.entries(standing).filter(([name]) => names.includes(name)));
}
