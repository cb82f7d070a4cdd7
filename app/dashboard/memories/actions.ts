"use server";

import { revalidatePath } from "next/cache";
import { categoryTitle } from "@/app/_components/words/category";
import { counted } from "@/app/_components/words/list";
import { profileAction } from "@/lib/http/session/action";
import { addMemory } from "@/lib/services/memories/add";
import type { Changed } from "@/lib/services/memories/change";
import { changeMemoryStates, editMemory, moveMemories } from "@/lib/services/memories/edit";
import { restorableDays } from "@/lib/services/memories/purge";
import { restoreRevision } from "@/lib/services/memories/restore";
import { beginningOf } from "./beginning";
import { AddForm, ChangeForm, EditForm, RestoreForm } from "./schemas";

export const addAction = profileAction(AddForm, async ({ ctx, profile: { did }, input }) => {
  const { memoryId } = await addMemory(ctx, { did, ...input });
  revalidatePath("/dashboard", "layout");
  return { ok: true, message: "Added to your memories.", undo: { kind: "memory", id: memoryId } };
});

export const editAction = profileAction(EditForm, async ({ ctx, profile: { did }, input }) => {
  const changed = await editMemory(ctx, { did, ...input });
  return outcomeOf(changed === null ? [] : [changed], () => "Saved.");
});

/** Archives, deletes, brings back or moves one memory or several. */
export const changeAction = profileAction(ChangeForm, async ({ ctx, profile: { did }, input }) =>
  input.how === "move"
    ? outcomeOf(
        await moveMemories(ctx, { did, ...input }),
        (what) => `Moved ${what} to ${categoryTitle(input.category)}.`,
      )
    : outcomeOf(await changeMemoryStates(ctx, { did, ...input }), changeWords[input.how]),
);

export const restoreAction = profileAction(
  RestoreForm,
  async ({ ctx, profile: { did }, input }) => {
    const changed = await restoreRevision(ctx, { did, ...input });
    return outcomeOf(changed === null ? [] : [changed], () => "Restored.");
  },
);

type Words = (what: string) => string;

const changeWords: Record<Exclude<ChangeForm["how"], "move">, Words> = {
  archive: (what) => `Archived ${what}. No agent can read what is archived.`,
  unarchive: (what) => `Unarchived ${what}. Your rules say again who can read it.`,
  delete: (what) => `Deleted ${what}. You can restore it for ${restorableDays} days.`,
  undelete: (what) => `Restored ${what}.`,
};

function outcomeOf(changed: readonly Changed[], words: Words) {
  const [first] = changed;
  if (first === undefined) return { ok: true, message: "Nothing was changed: it is so already." };
  revalidatePath("/dashboard", "layout");
  const what =
    changed.length === 1
      ? `“${beginningOf(first.before.content)}”`
      : counted(changed.length, "memory", "memories");
  const id = changed.map(({ revisionId }) => revisionId).join(",");
  return { ok: true, message: words(what), undo: { kind: "memory", id } };
}
