"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { profileAction } from "@/lib/http/session/action";
import { idOf } from "@/lib/http/session/form-fields";
import { undoImport } from "@/lib/services/imports/batches/undo-import";
import { counted } from "../../../_components/words/list";

const UndoForm = z.object({ batchId: idOf("imp", "an import") });

export const undoImportAction = profileAction(
  UndoForm,
  async ({ ctx, profile: { did }, input }) => {
    const { waiting, deleted, kept } = await undoImport(ctx, { did, ...input });
    revalidatePath("/dashboard", "layout");
    const stays =
      kept === 0 ? "" : ` ${counted(kept, "memory", "memories")} that you changed since stay.`;
    const restorable = deleted === 0 ? "" : " You can restore memories under Deleted for 30 days.";
    const message = `Undone: ${counted(waiting, "proposal")} and ${counted(deleted, "memory", "memories")} are gone.${restorable}${stays}`;
    return { ok: true, message };
  },
);
