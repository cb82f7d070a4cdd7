import { z } from "zod";
import { Category, deniedScopesMax, Scope } from "../scope";

/** Bounds of one answer. Protocol 6. */
export const answerBounds = {
  /** Size of the contents, as JSON, of a profile or a page. */
  bytesMax: 1_000_000,
  profileRecordsMax: 2_000,
  recordsPerCategoryMax: 50,
  truncatedMax: 50,
} as const;

export const PageMeta = z.object({
  count: z
    .int()
    .describe("How many items this page holds; the next page begins at offset + count."),
  total: z.int().describe("How many items there are."),
  limit: z.int().describe("The limit that was applied."),
  offset: z.int(),
});
export type PageMeta = z.output<typeof PageMeta>;

const DeniedScopes = z
  .array(Scope)
  .describe(
    `Requested scopes that are not granted as a whole, and what is cut out of those that are; at most ${deniedScopesMax}.`,
  );

export const ProfileMeta = z.object({
  deniedScopes: DeniedScopes.optional(),
  truncated: z
    .array(Category)
    .optional()
    .describe(`Categories that hold more than is shown; at most ${answerBounds.truncatedMax}.`),
});
export type ProfileMeta = z.output<typeof ProfileMeta>;

export const MemoriesMeta = PageMeta.extend({
  deniedScopes: ProfileMeta.shape.deniedScopes,
  truncated: ProfileMeta.shape.truncated.describe(
    "With the first page: categories of named values that have no room in it.",
  ),
});
export type MemoriesMeta = z.output<typeof MemoriesMeta>;
