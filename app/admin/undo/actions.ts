"use server";

import { revalidatePath } from "next/cache";
import { engine } from "@/lib/engine/engine";
import { adminAction } from "@/lib/http/session/admin";
import { revertSetting } from "@/lib/services/admin/settings";
import { UndoForm } from "./schemas";

/** The action behind the Undo button of a toast. */
export const undoAction = adminAction(UndoForm, async ({ ctx, input }) => {
  await revertSetting(ctx, engine().settings, input.id);
  revalidatePath("/admin", "layout");
  return { ok: true, message: "Taken back: the setting is as it was before." };
});
