import { z } from "zod";
import { categoryFields, categoryOf } from "@/app/_components/forms/fields/category-input";
import { PersonName } from "@/app/(auth)/schemas";
import { faultOfValueName } from "@/lib/rules/named-value";
import { kinds, readTyped } from "./typed-value";

/** The version of what the form shows. */
const Digest = z.string().regex(/^[A-Za-z0-9_-]{43}$/, "Load the page again.");

/** A new value. Its text is in one field, except for an answer, which is chosen. */
const typed = {
  kind: z.enum(kinds),
  value: z.string().max(70_000, "This is too long.").default(""),
  answer: z.enum(["yes", "no"]).default("no"),
};

function newValueOf(
  { kind, value: text, answer }: z.output<z.ZodObject<typeof typed>>,
  context: z.RefinementCtx,
): unknown {
  const read = readTyped({ kind, text: kind === "yes-no" ? answer : text });
  if ("value" in read) return read.value;
  context.addIssue({ code: "custom", path: ["value"], message: read.fault });
  return z.NEVER;
}

const NamedValueName = z.string().superRefine((name, context) => {
  const message = faultOfValueName(name);
  if (message !== null) context.addIssue({ code: "custom", message });
});

export const AddValueForm = z
  .object({ ...categoryFields, name: z.string().trim().pipe(NamedValueName), ...typed })
  .transform(({ name, category, typed, ...rest }, context) => ({
    name,
    category: categoryOf({ category, typed }, context),
    value: newValueOf(rest, context),
  }));

const PreferenceName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "Use 1 to 64 letters, digits, dashes or underscores.");

export const AddPreferenceForm = z
  .object({ name: PreferenceName, ...typed })
  .transform(({ name, ...rest }, context) => ({ name, value: newValueOf(rest, context) }));

/** All values of a page; see value-form.ts. */
export const SaveValuesForm = z.looseObject({ seen: Digest, remove: z.string().optional() });
export const SaveProfileForm = SaveValuesForm.extend({ displayName: PersonName });
