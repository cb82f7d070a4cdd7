import { z } from "zod";
import { categoryTyped } from "@/app/_components/words/category";
import { MemoryEdit, NewMemory } from "@/lib/http/api/owner/memories";
import { fromForm, idOf } from "@/lib/http/session/form-fields";
import { Category } from "@/lib/protocol/scope";

export const MemoryId = idOf("mem", "a memory");
export const RevisionId = z.string().regex(/^rev_[0-9]{1,18}$/, "Not a state of a memory.");

/** The state of the memory that a form was shown for. */
const Seen = z.iso.datetime().transform((text) => new Date(text));

// A typed category takes precedence over a chosen one.
const Where = z.object({ category: z.string().max(200), typed: z.string().max(200).default("") });

function categoryOf({ category, typed }: z.output<typeof Where>, context: z.RefinementCtx) {
  const isTyped = typed.trim() !== "";
  const found = Category.safeParse(isTyped ? categoryTyped(typed) : category);
  if (found.success) return found.data;
  const message = "Use lower-case letters from a to z, digits, - and _, with › between the parts.";
  context.addIssue({ code: "custom", path: [isTyped ? "typed" : "category"], message });
  return z.NEVER;
}

export const AddForm = fromForm(NewMemory.extend(Where.shape)).transform(
  ({ typed, category, ...memory }, context) => ({
    ...memory,
    category: categoryOf({ typed, category }, context),
  }),
);

export const EditForm = fromForm(
  MemoryEdit.omit({ category: true }).extend({ memoryId: MemoryId, seen: Seen }),
);

export const MoveForm = z
  .object({ memoryId: MemoryId, seen: Seen, ...Where.shape })
  .transform(({ memoryId, seen, ...where }, context) => ({
    memoryId,
    seen,
    category: categoryOf(where, context),
  }));

export const ShelveForm = z.object({
  memoryId: MemoryId,
  seen: Seen,
  how: z.enum(["archive", "unarchive", "delete", "undelete"]),
});
export type ShelveForm = z.output<typeof ShelveForm>;

export const RestoreForm = z.object({ revisionId: RevisionId, seen: Seen });
