import type { Rule } from "@/lib/rules/decide";
import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { list } from "../../../_components/words/list";

type Denied = Pick<ActivityEvent, "actor" | "outcome" | "denied" | "reasons" | "detail">;

const rules: Partial<Record<Rule, string>> = {
  deny: "your rule forbids it",
  refused: "you refused it before",
  ceiling: "an admin of this gateway keeps this agent from it",
  token_scopes: "its connection token does not reach that far",
  token_permissions: "its connection token is not for that",
  client_scopes: "you did not switch it on for its connection",
  needs_purpose: "your rule is for another purpose, or for less long",
  needs_verification: "your rule is for verified agents only",
  no_allow: "no rule of yours allows it",
};

const outcomes: Record<string, string> = {
  PROF001: "it was not known who asked",
  PROF002: "this gateway does not allow it",
  PROF003: "there was nothing of that name any more",
  PROF004: "it needs your consent",
  PROF005: "too much of that at once",
  PROF006: "what was sent was not valid",
  PROF007: "its time was wrong",
  PROF008: "it had been sent before",
  PROF500: "the gateway failed",
  PROF503: "the gateway was not able to at that moment",
};

/** Why something was refused, as a part of a sentence. */
export function whyWords(event: Denied): string {
  const rule = rulesOf(event);
  if (rule.length > 0) return list(rule);
  if (event.detail.status === "already_rejected") return "you rejected the same before";
  const isStranger = event.actor === "admin" || event.actor === "system";
  if (isStranger && event.outcome === "PROF002") return "only you may do that";
  return outcomes[event.outcome] ?? `the gateway answered ${event.outcome}`;
}

// Returns the rule that denied each scope; scopes without a reason add none.
function rulesOf({ denied, reasons }: Denied): string[] {
  const found = denied.map((scope) => {
    const reason = Object.hasOwn(reasons, scope) ? reasons[scope] : undefined;
    return reason === undefined ? undefined : rules[reason.rule];
  });
  return [...new Set(found.filter((words) => words !== undefined))];
}

/** The rule that settled one scope or category, in words; null where it was granted by owning it. */
export function ruleWords(rule: string): string {
  const granting: Record<string, string> = {
    owner: "it is yours",
    allow: "your rule allows it",
    allow_for_purpose: "your rule allows it for this purpose",
  };
  return { ...rules, ...granting }[rule] ?? rule.replaceAll("_", " ");
}
