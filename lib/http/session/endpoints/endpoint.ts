import { z } from "zod";
import { limit, ProfileParams, single } from "@/lib/protocol/requests";
import { Cursor } from "../cursor";

/** One row of the table of what a signed-in owner's script may call. Not part of the protocol. */
export interface SessionEndpoint {
  name: string;
  summary: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: `/api/${"profiles" | "session" | "admin"}${string}`;
  params: z.ZodObject;
  query: z.ZodObject;
  /** Strict where it grants something: a misspelt restriction must not be ignored. Protocol 8. */
  body: z.ZodType | null;
  data: z.ZodType;
  meta: z.ZodObject;
  /** Of the answer, when all is well. */
  status: 200 | 201;
}

/** A profile and one thing of it, by an id of this prefix. */
export function paramsWith<N extends string>(name: N, prefix: string) {
  const id = z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9A-Za-z]{1,32}$`), `Must be an id: ${prefix}_….`)
    .meta({ description: `${prefix}_<id>`, examples: [`${prefix}_8uGe2LwF5aTjC0iXo3MqSk`] });
  return ProfileParams.extend({ [name]: id } as Record<N, typeof id>);
}

/** What every list takes to be read page by page. */
export const PageQuery = z.object({
  limit: limit(50),
  cursor: single()
    .pipe(Cursor)
    .optional()
    .describe("`meta.next` of the page before; without it, the first page."),
});

export const NextMeta = z.object({
  count: z.int().describe("How many items this page holds."),
  next: z.string().nullable().describe("The cursor of the next page; null on the last one."),
});

export const Done = z
  .object({ id: z.string() })
  .describe("What the change was made to, by its id.");
