import { z } from "zod";
import { limit, single } from "@/lib/protocol/requests";
import { text } from "@/lib/protocol/resources";
import { PageQuery } from "../endpoint";

// What several endpoints of admins have in them.

const UserIdText = z.string().regex(/^usr_[0-9A-Za-z]{1,32}$/, "Must be an id: usr_….");

export const UserId = UserIdText.meta({
  description: "usr_<id>",
  examples: ["usr_8uGe2LwF5aTjC0iXo3MqSk"],
});
export const UserParams = z.object({ userId: UserId });

export const Email = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email().max(254))
  .meta({ description: "An e-mail address.", examples: ["alice@example.com"] });

export const Role = z.enum(["user", "admin"]);

/** A list that is searched by a part of what is shown. */
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

export const Changed = z.object({ id: z.string() }).describe("What was changed.");

export function bodyLike<S extends z.ZodType>(schema: S, example: z.input<S>): S {
  return schema.meta({ examples: [example] });
}
