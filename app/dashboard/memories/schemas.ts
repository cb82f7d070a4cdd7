import { z } from "zod";
import { categoryFields, categoryOf } from "@/app/_components/forms/fields/category-input";
import { MemoryEdit, NewMemory } from "@/lib/http/api/owner/memories";
import { fromForm, idOf } from "@/lib/http/session/form-fields";
import { Category } from "@/lib/protocol/scope";
import { stateChanges } from "@/lib/services/memories/edit";

export const MemoryId = idOf("mem", "a memory");
export const RevisionId = z.string().regex(/^rev_[0-9]{1,18}$/, "Not a state of a memory.");

/** The state of the memory that a form was shown for. */
const Seen = z.iso.datetime().transform((text) => new Date(text));

export const AddForm = fromForm(NewMemory.extend(categoryFields)).transform(
  ({ category, typed, ...memory }, context) => ({
    ...memory,
    category: categoryOf({ category, typed }, context),
  }),
);

export const EditForm = fromForm(
  MemoryEdit.extend({
    ...categoryFields,
    content: NewMemory.shape.content,
    memoryId: MemoryId,
    seen: Seen,
  }),
).transform(({ category, typed, ...edit }, context) => ({
  ...edit,
  category: categoryOf({ category, typed }, context),
}));

const Memories = z.array(z.object({ memoryId: MemoryId, seen: Seen }));

/** The buttons of a row name their memory; the others change all that are ticked. */
export const ChangeForm = z
  .record(z.string(), z.string())
  .transform(({ how: button = "", ...typed }, context) => {
    const [how, memoryId, seen] = button.split(" ");
    const ticked = Object.entries(typed).filter(([name]) => name.startsWith("mem_"));
    const memories =
      memoryId === undefined
        ? ticked.map(([memoryId, seen]) => ({ memoryId, seen }))
        : [{ memoryId, seen }];
    if (button === "" || memories.length === 0) {
      const message = "Tick memories, then press what to do with them.";
      context.addIssue({ code: "custom", path: ["form"], message });
    }
    if (how !== "move") return { how, memories };
    const { category = "", typed: other = "" } = typed;
    return { how, memories, category: categoryOf({ category, typed: other }, context) };
  })
  .pipe(
    z.discriminatedUnion("how", [
      z.object({ how: z.enum(stateChanges), memories: Memories }),
      z.object({ how: z.literal("move"), memories: Memories, category: Category }),
    ]),
  );
export type ChangeForm = z.output<typeof ChangeForm>;

export const RestoreForm = z.object({ revisionId: RevisionId, seen: Seen });
