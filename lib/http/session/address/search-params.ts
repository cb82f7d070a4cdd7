import { z } from "zod";
import { formatCursor, parseCursor } from "./cursor";

/** The query of a page's address, as Next hands it over. */
export type Query = Record<string, string | string[] | undefined>;

const valueMax = 400;

/** One value of a parameter; undefined where it is repeated, empty or cannot be stored. */
export function oneOf(value: string | string[] | undefined): string | undefined {
  if (typeof value !== "string" || value === "" || value.includes("\0")) return undefined;
  return value.slice(0, valueMax);
}

/** A parameter that counts as missing where it is not valid: no address fails. */
export const param = <S extends z.ZodType>(schema: S) => schema.optional().catch(undefined);

/** A parameter with a value of its own where it is missing or not valid; that value is left out of addresses. */
export const choice = <const T extends readonly [string, ...string[]]>(
  values: T,
  usual: T[number],
) => z.enum(values).default(usual).catch(usual);

/** The words of a search. */
export const words = (max: number) =>
  param(z.string().transform((text) => text.trim().slice(0, max) || undefined));

/** Where a page of a list begins. */
export const place = param(z.string().transform((text) => parseCursor(text)));

/** The part of a page's address that says what it shows: one schema reads and writes it. */
export function searchParams<Shape extends z.ZodRawShape>(path: string, shape: Shape) {
  const Values = z.object(shape);
  type Values = z.output<typeof Values>;
  const usual: Record<string, unknown> = Values.parse({});
  return {
    path,
    read: (query: Query): Values =>
      Values.parse(
        Object.fromEntries(Object.entries(query).map(([name, value]) => [name, oneOf(value)])),
      ),
    href: (values: Partial<Values>): string => {
      const query = new URLSearchParams();
      for (const name of Object.keys(shape)) {
        const value: unknown = values[name as keyof Values];
        if (value !== undefined && value !== usual[name]) query.set(name, textOf(value));
      }
      return query.size === 0 ? path : `${path}?${query}`;
    },
  };
}

function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const { at, id, tier } = value as { at: Date; id: string; tier?: number };
  return formatCursor({ at, id, tier }) ?? "";
}
