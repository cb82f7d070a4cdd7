import { z } from "zod";
import { idOf, tickedUnder } from "@/lib/http/session/form-fields";
import { Did } from "@/lib/protocol/did";
import { Retention } from "@/lib/protocol/resources";
import { everyAgent } from "@/lib/rules/facts";
import type { TemplateName } from "@/lib/rules/templates";
import { PolicyInput } from "@/lib/services/policies/policy-input";
import { prefixes, whoChoices } from "./editor/fields";

export const PolicyId = idOf("pol", "a rule");

const templateNames = ["balanced", "private", "open"] as const satisfies readonly TemplateName[];
export const Template = z.enum(templateNames);

/** Which button of the list was pressed: each is named for what it does, with what it does it to. */
export const ChangeForm = z.union([
  z.object({ remove: PolicyId }),
  z.object({ on: PolicyId }),
  z.object({ off: PolicyId }),
  z.object({ template: Template }),
]);
export type ChangeForm = z.output<typeof ChangeForm>;

const dayMs = 24 * 60 * 60_000;
const optional = z.string().max(5_000).default("");

const Typed = z
  .object({
    intent: z.enum(["save", "preview"]).default("preview"),
    policyId: PolicyId.optional(),
    shownAs: z.iso.datetime().optional(),
    lookAs: z.union([Did, z.literal("")]).optional(),
    who: z.enum(whoChoices, "Choose which agents this is about."),
    agentDid: optional,
    agentPattern: optional,
    whileVerified: optional,
    allowTyped: optional,
    denyTyped: optional,
    purposesTyped: optional,
    maxRetention: z.union([Retention, z.literal("")]).default(""),
    receiptHours: optional,
    until: z.enum(["never", "1d", "30d", "1y", "day", "kept"]).default("never"),
    untilDay: optional,
    keptUntil: z.union([z.iso.datetime(), z.literal("")]).optional(),
  })
  .catchall(z.string().max(200));
type Typed = z.output<typeof Typed>;

/** When a rule ends, before anybody looks at a clock. */
export type Ends = { kind: "never" } | { kind: "in"; ms: number } | { kind: "at"; at: Date };

/** Parses a policy's form. Each issue is reported at the field it came from. */
export const PolicyForm = Typed.transform((typed, context) => {
  const ends = endsOf(typed);
  if (ends === null) {
    context.addIssue({ code: "custom", path: ["expiresAt"], message: "Choose a day." });
  }
  const parsed = PolicyInput.safeParse({ ...written(typed), expiresAt: null });
  for (const { path, message } of parsed.error?.issues ?? []) {
    context.addIssue({ code: "custom", path: [fieldOf(String(path[0]), typed)], message });
  }
  if (!parsed.success || ends === null) return z.NEVER;
  const { intent, policyId, shownAs, lookAs } = typed;
  return { intent, policyId, shownAs, lookAs, ends, policy: parsed.data };
});
export type PolicyForm = z.output<typeof PolicyForm>;

export function endAt(ends: Ends, now: Date): Date | null {
  if (ends.kind === "never") return null;
  return ends.kind === "at" ? ends.at : new Date(now.getTime() + ends.ms);
}

function written(typed: Typed): Record<keyof Omit<PolicyInput, "expiresAt">, unknown> {
  const { who, agentDid, agentPattern, maxRetention } = typed;
  return {
    agentPattern: who === "one" ? agentDid : who === "pattern" ? agentPattern.trim() : everyAgent,
    verifiedOnly:
      who === "verified" || ((who === "one" || who === "pattern") && typed.whileVerified !== ""),
    allow: [...new Set([...tickedUnder(prefixes.allow, typed), ...scopesIn(typed.allowTyped)])],
    deny: [...new Set([...tickedUnder(prefixes.deny, typed), ...scopesIn(typed.denyTyped)])],
    permissions: tickedUnder(prefixes.may, typed),
    purposes: [
      ...new Set([...tickedUnder(prefixes.purpose, typed), ...wordsIn(typed.purposesTyped)]),
    ],
    maxRetention: maxRetention === "" ? null : maxRetention,
    receiptSeconds: secondsOf(typed.receiptHours),
  };
}

function wordsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

// A category is typed as people say it, or as agents do.
function scopesIn(text: string): string[] {
  return wordsIn(text).map((word) => (word.startsWith("prof:") ? word : `prof:${word}`));
}

// Keeps a value that is not a number, so that it is refused as one.
function secondsOf(hours: string): number | null {
  return hours.trim() === "" ? null : Math.round(Number(hours) * 3_600);
}

function endsOf({ until, untilDay, keptUntil = "" }: Typed): Ends | null {
  if (until === "never") return { kind: "never" };
  if (until === "day" || until === "kept") {
    const at = new Date(until === "kept" ? keptUntil : `${untilDay}T23:59:59.999Z`);
    return Number.isNaN(at.getTime()) ? null : { kind: "at", at };
  }
  const days = { "1d": 1, "30d": 30, "1y": 365 }[until];
  return { kind: "in", ms: days * dayMs };
}

function fieldOf(member: string, { who }: Typed): string {
  if (member === "agentPattern") return who === "one" ? "agentDid" : "agentPattern";
  return member === "receiptSeconds" ? "receiptHours" : member;
}
