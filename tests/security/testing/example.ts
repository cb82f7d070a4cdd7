import type { z } from "zod";

/** The body that the documentation shows. */
export function exampleOf(body: z.ZodType | null): Record<string, unknown> {
  const examples: unknown = body?.meta()?.examples;
  return Array.isArray(examples) ? examples[0] : {};
}
