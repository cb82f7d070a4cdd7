import { z } from "zod";
import { Category } from "@/lib/protocol/scope";
import { categoryTyped } from "../../words/category";

/** The fields of a CategoryField. */
export const categoryFields = {
  category: z.string().max(200),
  typed: z.string().max(200).default(""),
};

/** Returns the chosen category, or the typed one where another was chosen. */
export function categoryOf(
  { category, typed }: { category: string; typed: string },
  context: z.RefinementCtx,
): Category {
  const isTyped = category === "";
  const found = Category.safeParse(isTyped ? categoryTyped(typed) : category);
  if (found.success) return found.data;
  const message = "Use lower-case letters from a to z, digits, - and _, with › between the parts.";
  context.addIssue({ code: "custom", path: [isTyped ? "typed" : "category"], message });
  return z.NEVER;
}
