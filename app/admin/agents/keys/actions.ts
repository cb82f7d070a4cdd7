"use server";

import { revalidatePath } from "next/cache";
import { adminAction } from "@/lib/http/session/admin";
import { addKey, revokeKey } from "@/lib/services/agents/keys";
import { AddKeyForm, RevokeKeyForm } from "./schemas";

export const addKeyAction = adminAction(AddKeyForm, async ({ ctx, input }) => {
  await addKey(ctx, input);
  revalidatePath("/admin", "layout");
  return { ok: true, message: "Added. It can sign as this agent from now on." };
});

export const revokeKeyAction = adminAction(RevokeKeyForm, async ({ ctx, input }) => {
  await revokeKey(ctx, input);
  revalidatePath("/admin", "layout");
  return { ok: true, message: "Revoked. Its very next signature is refused." };
});
