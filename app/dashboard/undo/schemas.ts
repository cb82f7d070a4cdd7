import { z } from "zod";

export const undoKinds = ["proposal", "access", "memory", "policy", "template"] as const;

export const UndoForm = z.object({
  kind: z.enum(undoKinds),
  // One id, or several that were changed together.
  id: z
    .string()
    .max(4_000)
    .regex(
      /^[a-z]{2,5}_[0-9A-Za-z]{1,32}(,[a-z]{2,5}_[0-9A-Za-z]{1,32}){0,99}$/,
      "Not something that can be undone.",
    ),
});
export type UndoForm = z.output<typeof UndoForm>;
