"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { profileAction } from "@/lib/http/session/action";
import { idOf, tickedUnder } from "@/lib/http/session/form-fields";
import { Did } from "@/lib/protocol/did";
import { Category } from "@/lib/protocol/scope";
import { endApproving, startApproving } from "@/lib/services/proposals/rules/approve-rules";
import { undoApproving } from "@/lib/services/proposals/rules/undo-approving";
import { undoneWords } from "../undone-words";
import { kindPrefix } from "./choices";

const StartForm = z
  .object({
    agentDid: Did,
    confidence: z.coerce.number(),
    days: z.coerce.number(),
    uses: z.coerce.number(),
  })
  .catchall(z.string())
  .transform(({ agentDid, confidence, days, uses, ...switches }) => ({
    ...{ agentDid, confidenceMin: confidence, days, usesMax: uses },
    categories: tickedUnder(kindPrefix, switches),
  }))
  .pipe(
    z.object({
      ...{ agentDid: Did, confidenceMin: z.number(), days: z.number(), usesMax: z.number() },
      categories: z.array(Category).max(100),
    }),
  );

export const startApprovingAction = profileAction(
  StartForm,
  async ({ ctx, profile: { did }, input }) => {
    await startApproving(ctx, { did, ...input });
    revalidatePath("/dashboard", "layout");
    return {
      ok: true,
      message: "From now on the gateway approves these. What it approved is listed here.",
    };
  },
);

const RuleForm = z.object({ ruleId: idOf("rule", "a rule") });

export const endApprovingAction = profileAction(
  RuleForm,
  async ({ ctx, profile: { did }, input }) => {
    await endApproving(ctx, { did, ...input });
    revalidatePath("/dashboard", "layout");
    return { ok: true, message: "Ended: everything waits for you again. What was approved stays." };
  },
);

export const undoApprovingAction = profileAction(
  RuleForm,
  async ({ ctx, profile: { did }, input }) => {
    const undone = await undoApproving(ctx, { did, ...input });
    revalidatePath("/dashboard", "layout");
    return { ok: true, message: undoneWords(undone) };
  },
);
