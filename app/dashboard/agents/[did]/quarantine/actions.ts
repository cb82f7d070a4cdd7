"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { profileAction } from "@/lib/http/session/action";
import { Did } from "@/lib/protocol/did";
import { liftQuarantine, quarantineAgent } from "@/lib/services/access/quarantine/quarantine-agent";
import { undoWritten } from "@/lib/services/access/quarantine/written";
import { counted } from "../../../../_components/words/list";
import { undoneWords } from "../undone-words";
import { Days } from "./address";

const AgentForm = z.object({ agentDid: Did });

export const quarantineAction = profileAction(
  AgentForm,
  async ({ ctx, profile: { did }, input }) => {
    const { held } = await quarantineAgent(ctx, { did, ...input });
    revalidatePath("/dashboard", "layout");
    const apart =
      held === 0
        ? ""
        : ` ${counted(held, "proposal")} of it ${held === 1 ? "is" : "are"} held apart.`;
    return { ok: true, message: `In quarantine: its very next request is refused.${apart}` };
  },
);

export const liftQuarantineAction = profileAction(
  AgentForm,
  async ({ ctx, profile: { did }, input }) => {
    const { released } = await liftQuarantine(ctx, { did, ...input });
    revalidatePath("/dashboard", "layout");
    const waits =
      released === 0
        ? ""
        : ` ${counted(released, "proposal waits", "proposals wait")} in your inbox again.`;
    return { ok: true, message: `Lifted: your other rules decide from now on.${waits}` };
  },
);

const UndoForm = z.object({ agentDid: Did, days: Days });

export const undoWrittenAction = profileAction(
  UndoForm,
  async ({ ctx, profile: { did }, input }) => {
    const undone = await undoWritten(ctx, { did, ...input, days: Number(input.days) });
    revalidatePath("/dashboard", "layout");
    return { ok: true, message: undoneWords(undone) };
  },
);
