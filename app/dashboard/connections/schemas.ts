import { z } from "zod";
import { idOf, tickedUnder } from "@/lib/http/session/form-fields";
import { Did } from "@/lib/protocol/did";
import { text } from "@/lib/protocol/resources";
import { Scope, scopesPerRequestMax } from "@/lib/protocol/scope";
import { scopesTyped } from "./scopes-typed";

/** The name of a scope's switch; one that is off sends nothing. */
export const scopePrefix = "scope:";

export const tokenLives = ["1", "7", "30", "90", "365"] as const;

const permissions = ["read", "propose"] as const;

export const TokenId = idOf("tok", "a connection");

export const Reach = z.object({
  agentDid: Did,
  scopes: z.array(Scope).max(scopesPerRequestMax),
  permissions: z.array(z.enum(permissions)).max(2),
});

export const IssueForm = z
  .object({
    agentDid: Did,
    intent: z.enum(["issue", "preview"]).default("preview"),
    days: z.enum(tokenLives, "Choose for how long."),
    label: text({ max: 100 }),
    others: z.string().max(5_000, "These are too many."),
    read: z.string().optional(),
    propose: z.string().optional(),
  })
  .catchall(z.string())
  .transform(({ agentDid, intent, days, label, others, read, propose, ...switches }) => ({
    agentDid,
    intent,
    days: Number(days),
    label: label === "" ? undefined : label,
    permissions: permissions.filter((one) => ({ read, propose })[one] !== undefined),
    scopes: [...new Set([...tickedUnder(scopePrefix, switches), ...scopesTyped(others)])],
  }))
  .superRefine(({ intent, scopes, permissions: permitted }, context) => {
    const miss = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    const wrong = scopes.filter((scope) => !Scope.safeParse(scope).success);
    if (wrong.length > 0) {
      const rule = "Use lower-case letters, digits, dashes and underscores.";
      miss("others", `This is no category: ${wrong[0]?.slice(0, 100)}. ${rule}`);
    }
    if (scopes.length > scopesPerRequestMax) miss("scopes", `At most ${scopesPerRequestMax}.`);
    if (intent !== "issue") return;
    if (scopes.length === 0) miss("scopes", "Choose what the token is for.");
    if (permitted.length === 0) miss("permissions", "Choose what it may do.");
  });

export const RevokeForm = z.object({ id: TokenId });
