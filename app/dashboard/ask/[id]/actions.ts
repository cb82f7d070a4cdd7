"use server";

import { revalidatePath } from "next/cache";
import { profileAction } from "@/lib/http/session/action";
import { askWhy } from "@/lib/services/requests/inquiry";
import { AskForm } from "./schemas";

export const askAction = profileAction(AskForm, async ({ ctx, profile: { did }, input }) => {
  await askWhy(ctx, { did, ...input });
  revalidatePath("/dashboard", "layout");
  return { ok: true, message: "Asked. It still waits for you; decide when you like." };
});
