import { z } from "zod";
import { Retention } from "@/lib/protocol/resources";
import { Scope, scopesPerRequestMax } from "@/lib/protocol/scope";
import { receiptSecondsMax } from "@/lib/rules/access";
import { isAgentPattern } from "@/lib/rules/agent-pattern";

const Scopes = z.array(Scope).max(scopesPerRequestMax, "At most 50 categories in one rule.");

/** A rule as its owner writes it; when it may end depends on the time, and its verb looks at that. */
export const PolicyInput = z
  .object({
    agentPattern: z
      .string()
      .max(144)
      .refine(
        isAgentPattern,
        "Not an agent: did:prof:agent:<namespace>:<name>, with * for any part.",
      ),
    verifiedOnly: z.boolean(),
    allow: Scopes,
    deny: Scopes,
    permissions: z.array(z.enum(["read", "propose"])).max(2),
    purposes: z
      .array(
        z
          .string()
          .regex(
            /^[a-z0-9][a-z0-9_]{0,63}$/,
            "A purpose is a word of lower-case letters, digits and underscores.",
          ),
      )
      .max(50, "At most 50 purposes in one rule."),
    maxRetention: Retention.nullable(),
    receiptSeconds: z
      .number("Must be a number.")
      .int("Must be whole seconds.")
      .min(1, "At least one second.")
      .max(receiptSecondsMax, "At most 24 hours.")
      .nullable(),
    expiresAt: z.date().nullable(),
  })
  .superRefine(({ allow, deny, permissions }, context) => {
    const miss = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (allow.length + deny.length === 0) {
      miss("allow", "Choose at least one category, here or among those it never reaches.");
    }
    if (allow.length > 0 && permissions.length === 0) {
      miss("permissions", "Choose what they may do.");
    }
  });
export type PolicyInput = z.output<typeof PolicyInput>;
