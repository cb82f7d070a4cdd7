"use server";

import { revalidatePath } from "next/cache";
import { profileAction } from "@/lib/http/session/action";
import { UndoForm } from "./schemas";
import { takeBack } from "./take-back";

/** The action behind the Undo button of a toast, where the database still allows it. */
export const undoAction = profileAction(UndoForm, async ({ ctx, profile, input }) => {
  const message = await takeBack(ctx, { did: profile.did, ...input });
  revalidatePath("/dashboard", "layout");
  return { ok: true, message };
});
