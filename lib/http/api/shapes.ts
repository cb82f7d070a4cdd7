import { z } from "zod";
import { Did } from "@/lib/protocol/did";
import { limit, single } from "@/lib/protocol/requests";
import { Timestamp, text } from "@/lib/protocol/resources";
import { PageQuery } from "./endpoint";

// Shapes that several endpoints share.

export const Agent = z
  .object({
    did: Did,
    name: z.string().nullable().describe("As the agent calls itself; null where it is not known."),
    verified: z.boolean().describe("Whether an admin of the gateway has verified it."),
  })
  .describe("An agent.");

export const Permissions = z
  .array(z.enum(["read", "propose"]))
  .min(1)
  .max(2)
  .overwrite(unique);

export const SometimesAt = Timestamp.nullable();

export const Done = z
  .object({ id: z.string() })
  .describe("What the change was made to, by its id.");

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email().max(254))
  .meta({ description: "An e-mail address.", examples: ["alice@example.com"] });

export const Role = z.enum(["user", "admin"]);

/** Query of a list that can be searched by part of what it shows. */
export const SearchQuery = PageQuery.extend({
  limit: limit(50),
  search: single()
    .pipe(text({ max: 200 }))
    .optional()
    .describe("A part of a name or address."),
});

export const Link = z.object({
  url: z.string().describe("Works once. The gateway sends no e-mail: hand it over."),
  expiresAt: z.iso.datetime(),
});

export function bodyLike<S extends z.ZodType>(schema: S, example: z.input<S>): S {
  return schema.meta({ examples: [example] });
}

function unique<T>(all: T[]): T[] {
  return [...new Set(all)];
}
