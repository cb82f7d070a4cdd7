"use server";

import { revalidatePath } from "next/cache";
import { profileAction } from "@/lib/http/session/action";
import { addMemory } from "@/lib/services/memories/add";
import type { Changed } from "@/lib/services/memories/change";
import { changeMemoryState, editMemory } from "@/lib/services/memories/edit";
import { restoreRevision } from "@/lib/services/memories/restore";
import { AddForm, EditForm, MoveForm, RestoreForm, ShelveForm } from "./schemas";

export const addAction = profileAction(AddForm, async ({ ctx, profile: { did }, input }) => {
  const { memoryId } = await addMemory(ctx, { did, ...input });
  revalidatePath("/dashboard", "layout");
  return { ok: true, message: "Added to your memories.", undo: { kind: "memory", id: memoryId } };
});

export const editAction = profileAction(EditForm, async ({ ctx, profile: { did }, input }) =>
  outcomeOf("Saved.", await editMemory(ctx, { did, ...input })),
);

export const moveAction = profileAction(MoveForm, async ({ ctx, profile: { did }, input }) =>
  outcomeOf("Moved.", await editMemory(ctx, { did, ...input })),
);

export const shelveAction = profileAction(ShelveForm, async ({ ctx, profile: { did }, input }) =>
  outcomeOf(shelved[input.how], await changeMemoryState(ctx, { did, ...input })),
);

export const restoreAction = profileAction(RestoreForm, async ({ ctx, profile: { did }, input }) =>
  outcomeOf("Restored.", await restoreRevision(ctx, { did, ...input })),
);

const shelved = {
  archive: "Archived: kept for you, and no agent can read it.",
  unarchive: "Live again: agents read it where your policies let them.",
  delete: "Deleted. You can restore it for 30 days.",
  undelete: "Restored.",
};

function outcomeOf(message: string, changed: Changed | null) {
  if (changed === null) return { ok: true, message: "It is so already: nothing was changed." };
  revalidatePath("/dashboard", "layout");
  return { ok: true, message, undo: { kind: "memory", id: changed.revisionId } };
}
