import { z } from "zod";
import { parseJsonText } from "@/lib/http/json/json-text";
import { Category } from "@/lib/protocol/scope";

const undoKinds = [
  "proposal",
  "access",
  "everything-off",
  "memory",
  "policy",
  "rule-change",
  "template",
] as const;

const fault = "Not something that can be undone.";

// One id, or several that were changed together.
const Ids = z
  .string()
  .max(4_000)
  .regex(/^[a-z]{2,5}_[0-9A-Za-z]{1,32}(,[a-z]{2,5}_[0-9A-Za-z]{1,32}){0,99}$/, fault);

const Name = z.string().min(1).max(1_000);
const RemovedValue = z.union([
  z.strictObject({ category: Category, name: Name.max(64), value: z.json() }),
  z.strictObject({ member: Name, name: Name.nullable(), value: z.json() }),
]);

// Nothing else keeps a removed value, so its undo brings it along.
const RemovedText = z
  .string()
  .max(70_000)
  .transform((text, context) => {
    const read = parseJsonText(text);
    if ("value" in read) return read.value;
    context.addIssue({ code: "custom", message: fault });
    return z.NEVER;
  })
  .pipe(RemovedValue);

export const UndoForm = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(undoKinds), id: Ids }),
  z.object({ kind: z.literal("value"), id: RemovedText }),
]);
export type UndoForm = z.output<typeof UndoForm>;
