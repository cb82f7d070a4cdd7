import { newId } from "@/lib/engine/random";
import type { Did } from "@/lib/protocol/did";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import { type Category, isSensitive } from "@/lib/protocol/scope";
import type { Ctx } from "../../context";
import { changeProfile, withProfile } from "../../profile-gate";

export const ruleDaysMax = 30;
export const ruleUsesMax = 100;
export const ruleCategoriesMax = 20;

const dayMs = 24 * 60 * 60_000;

export interface RuleDraft {
  did: string;
  agentDid: Did;
  /** With those below them. */
  categories: readonly Category[];
  /** From 0 to 1. */
  confidenceMin: number;
  days: number;
  usesMax: number;
}

/** Why a rule approves nothing more; null while it does. */
export type RuleEnd = "owner" | "expired" | "used_up" | null;

export interface ApproveRule {
  id: string;
  categories: Category[];
  confidenceMin: number;
  createdAt: Date;
  expiresAt: Date;
  uses: number;
  usesMax: number;
  end: RuleEnd;
  endedAt: Date | null;
  /** What it approved and is approved still, newest first. */
  approved: Approved[];
}

export interface Approved {
  proposalId: string;
  content: string;
  category: Category;
  at: Date;
  /** Null where it was deleted. */
  memoryId: string | null;
}

/**
 * Lets the gateway approve what the agent proposes in these categories from now on, where nothing in it needs the
 * owner's eyes. The rule ends by itself, and takes the place of an earlier one for the agent.
 */
export async function startApproving(ctx: Ctx, draft: RuleDraft): Promise<{ ruleId: string }> {
  const { did, agentDid, categories, confidenceMin, days, usesMax } = draft;
  refuseWrong(draft);
  const asking = { verb: "editApproving", did, lasting: true, readsAgents: [agentDid] } as const;
  return changeProfile(ctx, asking, async ({ tx, profile, record }) => {
    const agent = await tx.agent.findUnique({ where: { did: agentDid, state: "active" } });
    if (agent === null) throw notFound("agent");
    await tx.approveRule.updateMany({
      where: { profileId: profile.id, agentDid, endedAt: null },
      data: { endedAt: ctx.now },
    });
    const ruleId = newId("rule");
    const expiresAt = new Date(ctx.now.getTime() + days * dayMs);
    const bounds = { confidenceMin, usesMax, createdAt: ctx.now, expiresAt };
    const named = { id: ruleId, profileId: profile.id, agentDid };
    await tx.approveRule.create({ data: { ...named, ...bounds, categories: [...categories] } });
    const rule = { categories, confidenceMin, days, usesMax };
    await record({ subjectId: ruleId, detail: { agentDid, started: rule } });
    return { ruleId };
  });
}

function refuseWrong({ categories, days, usesMax, confidenceMin }: RuleDraft): void {
  const wrong = (path: string, message: string) => invalidRequest([{ path, message }]);
  if (categories.length === 0) throw wrong("categories", "Choose what it may approve.");
  if (categories.length > ruleCategoriesMax) {
    throw wrong("categories", `Choose at most ${ruleCategoriesMax} categories.`);
  }
  if (categories.some(isSensitive)) {
    throw wrong("categories", "Sensitive categories are decided by you alone.");
  }
  const isWithin = (value: number, max: number) =>
    Number.isInteger(value) && value >= 1 && value <= max;
  if (!isWithin(days, ruleDaysMax)) throw wrong("days", `Choose 1 to ${ruleDaysMax} days.`);
  if (!isWithin(usesMax, ruleUsesMax)) {
    throw wrong("uses", `Choose 1 to ${ruleUsesMax} approvals.`);
  }
  if (!(confidenceMin >= 0 && confidenceMin <= 1)) throw wrong("confidence", "Choose 0 to 1.");
}

/** Ends a rule at once. What it approved stays. */
export async function endApproving(
  ctx: Ctx,
  { did, ruleId }: { did: string; ruleId: string },
): Promise<void> {
  await changeProfile(ctx, { verb: "editApproving", did }, async ({ tx, profile, record }) => {
    const where = { id: ruleId, profileId: profile.id };
    const rule = await tx.approveRule.findUnique({ where });
    if (rule === null) throw notFound("rule");
    if (rule.endedAt !== null) {
      throw invalidRequest([{ path: "ruleId", message: "It has ended already." }]);
    }
    await tx.approveRule.update({ where, data: { endedAt: ctx.now }, select: { id: true } });
    await record({ subjectId: ruleId, detail: { agentDid: rule.agentDid, ended: true } });
  });
}

const listedMax = 5;

/** Lists the last rules for an agent with what they approved, newest first. */
export async function listApproving(
  ctx: Ctx,
  { did, agentDid }: { did: string; agentDid: string },
): Promise<ApproveRule[]> {
  return withProfile(ctx, { verb: "editApproving", did }, async ({ profile }) => {
    const rows = await ctx.db.approveRule.findMany({
      where: {
        ...{ profileId: profile.id, agentDid },
        OR: [{ proposals: { some: {} } }, { endedAt: null, expiresAt: { gt: ctx.now } }],
      },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: listedMax,
      include: {
        proposals: {
          select: {
            ...{ id: true, content: true, category: true, reviewedAt: true },
            memory: { select: { id: true, deletedAt: true } },
          },
          orderBy: [{ reviewedAt: "desc" }, { id: "desc" }],
        },
      },
    });
    return rows.map(({ proposals, ...rule }) => ({
      ...rule,
      end: endOf(rule, ctx.now),
      approved: proposals.map(({ id, reviewedAt, memory, ...text }) => ({
        ...text,
        proposalId: id,
        at: reviewedAt ?? rule.createdAt,
        memoryId: memory?.deletedAt === null ? memory.id : null,
      })),
    }));
  });
}

type Ending = Pick<ApproveRule, "endedAt" | "expiresAt" | "uses" | "usesMax">;

function endOf({ endedAt, expiresAt, uses, usesMax }: Ending, now: Date): RuleEnd {
  if (endedAt !== null) return "owner";
  if (expiresAt <= now) return "expired";
  return uses >= usesMax ? "used_up" : null;
}
