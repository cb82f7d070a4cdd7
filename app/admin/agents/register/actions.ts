"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { Registration } from "@/app/dashboard/agents/register/registration";
import { engine } from "@/lib/engine/engine";
import { adminAction } from "@/lib/http/session/admin";
import { registerAgent } from "@/lib/services/agents/register";

export const registerAction = adminAction(Registration, async ({ ctx, input }) => {
  const mode = engine().settings.values().AGENT_REGISTRATION;
  const { did } = await registerAgent(ctx, { ...input, mode });
  revalidatePath("/admin", "layout");
  redirect(`/admin/agents/${encodeURIComponent(did)}`);
});
