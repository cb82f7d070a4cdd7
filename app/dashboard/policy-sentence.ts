import { sensitiveCategories } from "@/lib/protocol/scope";
import type { Policy } from "@/lib/rules/facts";
import { everyAgent } from "@/lib/rules/facts";
import { agentLabel, type NamedAgent } from "../_components/shown/agent-name";
import { categoryWords } from "../_components/words/category";
import { list } from "../_components/words/list";
import { purposeWords, retentionWord } from "../_components/words/purpose";
import { dayWords } from "../_components/words/time";

export type PolicyFacts = Omit<Policy, "id" | "enabled" | "receiptSeconds"> & {
  agent?: NamedAgent | null;
};

export interface PolicyWords {
  /** Whom it is about: an agent, or the words for many. */
  who: NamedAgent | string;
  rest: string;
}

/** A policy in words, its end by the clock of its reader: "Verified agents may read preferences." */
export function policySentence(policy: PolicyFacts, zone: string): string {
  const { who, rest } = policyWords(policy, zone);
  const subject = typeof who === "string" ? who : agentLabel(who);
  return `${subject}${rest.startsWith(",") ? "" : " "}${rest}`;
}

export function policyWords(policy: PolicyFacts, zone: string): PolicyWords {
  const { allow, deny, permissions, verifiedOnly } = policy;
  const denied = deny.includes("prof:*") ? "anything" : list(deny.map(categoryWords));
  const who = agents(policy);
  const qualifier = typeof who !== "string" && verifiedOnly ? ", while verified, " : "";
  if (allow.length === 0 || permissions.length === 0) {
    const isNobody = policy.agentPattern === everyAgent && !verifiedOnly;
    // Protocol 5: a deny holds whatever the purpose, so only its end is a condition.
    const rest = `touch ${denied}${end(policy, zone)}.`;
    return isNobody
      ? { who: "No agent", rest: `may ${rest}` }
      : { who, rest: `${qualifier}may never ${rest}` };
  }
  const deeds = list([...permissions].sort().reverse());
  const what = `${list(allow.map(categoryWords))}${except(policy)}`;
  const never = deny.length === 0 ? "" : `, but never touch ${denied}`;
  const until = end(policy, zone);
  const isLong = never !== "" || policy.maxRetention !== null;
  const comma = isLong && until !== "" ? "," : "";
  const rest = `${qualifier}may ${deeds} ${what}${conditions(policy)}${never}${comma}${until}.`;
  return { who, rest };
}

// Protocol 5: a template's wildcard stops short of what is sensitive.
function except({ allow, origin }: PolicyFacts): string {
  const stopsShort = origin === "template" && allow.includes("prof:*");
  return stopsShort ? `, except ${list(sensitiveCategories.map(categoryWords))}` : "";
}

function agents({ agentPattern, verifiedOnly, agent }: PolicyFacts): NamedAgent | string {
  const those = verifiedOnly ? "Verified agents" : "All agents";
  if (agentPattern === everyAgent) return those;
  if (!agentPattern.includes("*")) {
    return agent ?? { did: agentPattern, name: null, verified: false };
  }
  const [namespace = "", name = ""] = agentPattern.split(":").slice(3);
  return name === "*" && !namespace.includes("*")
    ? `${those} of ${namespace}`
    : `${those} that fit ${namespace}:${name}`;
}

/** " for analysis when kept for 7 days at most": what an agent has to say before it reads; nothing where that is nothing. */
function conditions({ purposes, maxRetention }: Pick<Policy, "purposes" | "maxRetention">): string {
  const words = purposes.length > 0 ? ` for ${list(purposes.map(purposeWords))}` : "";
  return `${words}${kept(maxRetention)}`;
}

function kept(maxRetention: string | null): string {
  if (maxRetention === null) return "";
  if (maxRetention === "indefinite") return " when they say how long they keep it";
  if (maxRetention === "session_only") return " when kept for one session only";
  const { text, recognised } = retentionWord(maxRetention);
  return recognised
    ? ` when kept ${text.toLowerCase()} at most`
    : ` when they say that they keep it “${text}”`;
}

function end({ expiresAt }: PolicyFacts, zone: string): string {
  return expiresAt === null ? "" : ` until ${dayWords(expiresAt, zone)}`;
}
