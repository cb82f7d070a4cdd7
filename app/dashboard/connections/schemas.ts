import { z } from "zod";
import { param, place, searchParams } from "@/lib/http/session/address/search-params";
import { idOf } from "@/lib/http/session/form-fields";
import { Did } from "@/lib/protocol/did";
import { text } from "@/lib/protocol/resources";
import { Scope, scopesPerRequestMax } from "@/lib/protocol/scope";
import type { Permission } from "@/lib/rules/facts";
import { tokenStates } from "@/lib/services/tokens/list-tokens";
import { categoriesIn } from "../picked";

export const connectionsAddress = searchParams("/dashboard/connections", {
  state: param(z.enum(tokenStates)),
  before: place,
});

export const issueAddress = searchParams("/dashboard/connections/issue", { agent: param(Did) });

const deeds: Record<"read" | "propose" | "both", readonly Permission[]> = {
  read: ["read"],
  propose: ["propose"],
  both: ["read", "propose"],
};
const Scopes = z
  .array(Scope)
  .min(1, "Choose what the token is for.")
  .max(scopesPerRequestMax, `At most ${scopesPerRequestMax} categories.`);

const lives = ["1", "7", "30", "90", "365"] as const;

export const IssueForm = z
  .object({
    intent: z.enum(["issue", "preview"]).default("preview"),
    agent: z.string().min(1, "Choose an agent."),
    pattern: z.string().max(200).default(""),
    deed: z.enum(["read", "propose", "both"], "Choose what it may do."),
    days: z.union([z.enum(lives), z.literal("")]).default(""),
    label: text({ max: 100 }),
  })
  .catchall(z.string().max(5_000))
  .transform((typed, context) => {
    const { intent, agent, pattern, deed, days, label } = typed;
    const miss = (path: string, message = "") =>
      context.addIssue({ code: "custom", path: [path], message });
    const did = Did.safeParse(agent === "pattern" ? pattern.trim() : agent);
    if (!did.success) miss(agent === "pattern" ? "pattern" : "agent", "Not an agent's identifier.");
    const scopes = Scopes.safeParse(categoriesIn("scope", typed));
    if (!scopes.success) miss("scope", scopes.error.issues[0]?.message);
    if (intent === "issue" && days === "") miss("days", "Choose for how long.");
    if (!did.success || !scopes.success) return z.NEVER;
    return {
      ...{ intent, agentDid: did.data, scopes: scopes.data, permissions: deeds[deed] },
      ...{ days: Number(days), label: label === "" ? undefined : label },
    };
  });

export const RevokeForm = z.object({ revoke: idOf("tok", "a connection") });
