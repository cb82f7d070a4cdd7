import type { z } from "zod";
import { isStorable } from "@/lib/protocol/resources";
import { OAuthError } from "./oauth-error";

export type Pairs = Iterable<readonly [name: string, value: string]>;

/** One value each: a parameter that comes twice, or is too long, makes the request invalid. OAuth 2.1, 3.1. */
export function readParameters<S extends z.ZodType>(schema: S, pairs: Pairs): z.output<S> {
  const given = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (given.has(name)) throw new OAuthError("invalid_request", `${shown(name)} comes twice.`);
    if (!isStorable(value)) {
      throw new OAuthError("invalid_request", `${shown(name)} has a character that no text has.`);
    }
    // One without a value counts as left out.
    if (value !== "") given.set(name, value);
  }
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  const name = String(parsed.error.issues[0]?.path[0] ?? "");
  const isThere = given.has(name);
  const words = isThere ? "is not what it can be" : "is missing";
  throw new OAuthError("invalid_request", `${shown(name)} ${words}.`);
}

function shown(name: string): string {
  return /^[a-z_]{1,40}$/.test(name) ? name : "A parameter";
}
