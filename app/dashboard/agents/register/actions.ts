"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { engine } from "@/lib/engine/engine";
import { action } from "@/lib/http/session/action";
import { registerAgent } from "@/lib/services/agents/register";
import { agentHref } from "../agent-href";
import { Registration } from "./registration";

export const registerAction = action(Registration, async ({ ctx, input }) => {
  const mode = engine().settings.values().AGENT_REGISTRATION;
  const { did } = await registerAgent(ctx, { ...input, mode });
  revalidatePath("/dashboard", "layout");
  redirect(agentHref(did));
});
