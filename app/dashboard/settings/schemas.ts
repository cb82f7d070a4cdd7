import { z } from "zod";
import { Category } from "@/lib/protocol/scope";
import { faultOfValueName } from "@/lib/rules/named-value";
import { kinds, readTyped } from "./typed-value";

/** When what the form shows was changed last. */
const Version = z.iso.datetime("Load the page again.").transform((instant) => new Date(instant));

/** The digest of what the form shows. */
export const Digest = z.string().regex(/^[A-Za-z0-9_-]{43}$/, "Load the page again.");

const textMax = 70_000;

/** A value by its kind and text, refused at the field that holds the text. */
const typed = { kind: z.enum(kinds), value: z.string().max(textMax, "This is too long.") };

function withValue<T extends { kind: (typeof kinds)[number]; value: string }>(
  { kind, value: text, ...rest }: T,
  context: z.RefinementCtx,
) {
  const read = readTyped({ kind, text });
  if ("value" in read) return { ...rest, value: read.value };
  context.addIssue({ code: "custom", path: ["value"], message: read.fault });
  return z.NEVER;
}

/** The name of a category, with or without its beginning. */
const TypedCategory = z
  .string()
  .trim()
  .transform((text) => (text.startsWith("prof:") ? text : `prof:${text}`))
  .pipe(
    z.string().refine((text) => Category.safeParse(text).success, {
      message:
        "Use lower-case letters, digits, dashes and underscores, with dots between parts: music.jazz",
    }),
  );

const NamedValueName = z.string().superRefine((name, context) => {
  const message = faultOfValueName(name);
  if (message !== null) context.addIssue({ code: "custom", message });
});

const named = { category: TypedCategory, name: z.string().trim().pipe(NamedValueName) };

export const AddValueForm = z.object({ ...named, ...typed }).transform(withValue);
export const ChangeValueForm = z.object({ ...named, ...typed, seen: Version }).transform(withValue);
export const RemoveValueForm = z.object({ ...named, seen: Version });

const PreferenceName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, "Use 1 to 64 letters, digits, dashes or underscores.");
// Whatever the JSON view let in can be changed and removed, too.
const AnyPreferenceName = z.string().min(1).max(1_000);

export const AddPreferenceForm = z.object({ name: PreferenceName, ...typed }).transform(withValue);
export const ChangePreferenceForm = z
  .object({ name: AnyPreferenceName, ...typed, seen: Digest })
  .transform(withValue);
export const RemovePreferenceForm = z.object({ name: AnyPreferenceName, seen: Digest });

export const JsonForm = z.object({ json: z.string().max(200_000), seen: Digest });
