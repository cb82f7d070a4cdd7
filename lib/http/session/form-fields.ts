import { z } from "zod";

// Browsers send every field as text, a line break as two characters, and a box only if it is ticked.

/** A text that was typed, with line breaks as the gateway has them. */
export function typedText<S extends z.ZodType<unknown, string>>(schema: S) {
  return z
    .string()
    .transform((typed) => typed.replaceAll("\r\n", "\n"))
    .pipe(schema);
}

/** Returns a schema for one of our ids in a hidden field. */
export function idOf(prefix: string, what: string) {
  return z.string().regex(new RegExp(`^${prefix}_[0-9A-Za-z]{1,32}$`), `Not ${what}.`);
}

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email("Enter an e-mail address like name@example.com.").max(254));

/** The boxes ticked under names that begin with this, without that beginning. */
export function tickedUnder(prefix: string, typed: object): string[] {
  return Object.keys(typed).flatMap((name) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
}

/** Reads a form by a schema of the API: what it wants as a number or a boolean comes as text; empty is left out. */
export function fromForm<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>) {
  const members = Object.entries(schema.shape).map(([name, member]) => {
    const { type } = z.toJSONSchema(member, { io: "input", unrepresentable: "any" });
    return { name, type, isOptional: z.safeParse(member, undefined).success };
  });
  const read = (typed: Record<string, string>): Record<string, unknown> =>
    Object.fromEntries(
      members.map(({ name, type, isOptional }) => {
        const text = typed[name];
        if (type === "boolean") return [name, text !== undefined];
        if (text === undefined || (isOptional && text === "")) return [name, undefined];
        const isNumber = type === "number" || type === "integer";
        return [name, isNumber ? Number(text) : text.replaceAll("\r\n", "\n")];
      }),
    );
  const typed = z.record(z.string(), z.string()).transform(read);
  return typed.pipe<z.ZodType<z.output<typeof schema>, Record<string, unknown>>>(schema);
}
