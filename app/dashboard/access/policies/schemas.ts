import { z } from "zod";
import { param, searchParams } from "@/lib/http/session/address/search-params";
import { idOf } from "@/lib/http/session/form-fields";
import { Retention } from "@/lib/protocol/resources";
import { everyAgent } from "@/lib/rules/facts";
import { templateNames } from "@/lib/rules/templates";
import { nextDay, startOfDay } from "@/lib/services/activity/counts/days";
import { PolicyInput } from "@/lib/services/policies/policy-input";
import type { ReaderClock } from "../../../_components/words/time";
import { categoriesIn, pickedIn } from "../../picked";

export const PolicyId = idOf("pol", "a rule");

export const Template = z.enum(templateNames);

/** Which rules the list shows: the page with `from`, the one just saved; what to look at before it is put in force. */
export const rulesAddress = searchParams("/dashboard/access/policies", {
  from: param(PolicyId),
  saved: param(PolicyId),
  template: param(Template),
  on: param(PolicyId),
});

/** Where a rule is in the list, on whichever page of it. */
export function ruleHref(id: string): string {
  return `${rulesAddress.href({ from: id })}#${id}`;
}

/** What is typed before a lot is opened. */
const Words = z.string().max(5_000).optional();

/** Which button of the list was pressed: each is named for what it does, with what it does it to. */
export const ChangeForm = z.union([
  z.object({ remove: PolicyId }),
  z.object({ on: PolicyId, words: Words }),
  z.object({ off: PolicyId }),
  z.object({ undo: PolicyId }),
  z.object({ template: Template, words: Words }),
]);
export type ChangeForm = z.output<typeof ChangeForm>;

const dayMs = 24 * 60 * 60_000;
const optional = z.string().max(5_000).default("");

const Typed = z
  .object({
    intent: z.enum(["save", "preview"]).default("preview"),
    policyId: PolicyId.optional(),
    shownAs: z.iso.datetime().optional(),
    agent: z.string().min(1, "Choose which agents this is about."),
    pattern: optional,
    whileVerified: optional,
    deed: z.enum(["never", "read", "propose", "both"], "Choose what they may do."),
    maxRetention: z.union([Retention, z.literal("")]).default(""),
    receiptSeconds: z.union([z.literal("").transform(() => null), z.coerce.number()]).default(null),
    // A number of days, or the instant at which an edited rule ends already.
    until: z
      .union([z.enum(["", "1", "7", "30", "90", "365", "day", "never"]), z.iso.datetime()])
      .default(""),
    untilDay: optional,
    words: Words,
  })
  .catchall(z.string().max(5_000));
type Typed = z.output<typeof Typed>;

/** When a rule ends, once somebody looks at a clock. */
export type Ends = (clock: ReaderClock) => Date | null;

/** Parses a rule's form. Each issue is reported at the slot it came from. */
export const PolicyForm = Typed.transform((typed, context) => {
  const { intent, policyId, shownAs, words } = typed;
  const ends = endsOf(typed);
  if (ends === null) {
    const message = typed.until === "day" ? "Choose a day." : "Choose for how long.";
    context.addIssue({ code: "custom", path: ["until"], message });
  }
  const parsed = PolicyInput.safeParse({ ...written(typed), expiresAt: null });
  for (const { path, message } of parsed.error?.issues ?? []) {
    context.addIssue({ code: "custom", path: [slotOf(String(path[0]), typed)], message });
  }
  if (!parsed.success || ends === null) return z.NEVER;
  return { intent, policyId, shownAs, ends, words, policy: parsed.data };
});
export type PolicyForm = z.output<typeof PolicyForm>;

function written(typed: Typed): Record<keyof Omit<PolicyInput, "expiresAt">, unknown> {
  const { agent, pattern, whileVerified, deed, maxRetention, receiptSeconds } = typed;
  const isMany = agent === "all" || agent === "verified";
  const texts = textsIn(typed);
  const scopes = categoriesIn("scope", texts);
  const who = {
    agentPattern: isMany ? everyAgent : agent === "pattern" ? pattern.trim() : agent,
    verifiedOnly: isMany ? agent === "verified" : whileVerified !== "",
  };
  if (deed === "never") {
    const terms = { purposes: [], maxRetention: null, receiptSeconds: null };
    return { ...who, allow: [], deny: scopes, permissions: [], ...terms };
  }
  return {
    ...who,
    allow: scopes,
    deny: categoriesIn("except", texts),
    permissions: deed === "both" ? ["read", "propose"] : [deed],
    purposes: pickedIn("purpose", texts),
    maxRetention: maxRetention === "" ? null : maxRetention,
    receiptSeconds,
  };
}

function textsIn(typed: Typed): Record<string, string> {
  return Object.fromEntries(
    Object.entries(typed).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
}

// A preview needs no end yet.
function endsOf({ intent, until, untilDay }: Typed): Ends | null {
  if (until === "") return intent === "preview" ? () => null : null;
  if (until === "never") return () => null;
  if (/^\d+$/.test(until)) return ({ now }) => new Date(now.getTime() + Number(until) * dayMs);
  if (until !== "day") return () => new Date(until);
  return z.iso.date().safeParse(untilDay).success
    ? ({ zone }) => new Date(startOfDay(nextDay(untilDay), zone).getTime() - 1)
    : null;
}

function slotOf(member: string, { agent, deed }: Typed): string {
  if (member === "agentPattern") return agent === "pattern" ? "pattern" : "agent";
  if (member === "allow") return "scope";
  if (member === "deny") return deed === "never" ? "scope" : "except";
  if (member === "purposes") return "purpose";
  return member === "permissions" ? "deed" : member;
}
