import { type Scope, sensitiveCategories } from "@/lib/protocol/scope";
import { everyAgent } from "@/lib/rules/agent-pattern";
import type { PolicyLine } from "@/lib/services/overview";
import { categoryWords } from "../_components/words/category";
import { list } from "../_components/words/list";

/** A policy in words: "Verified agents may read preferences." */
export function policySentence(policy: PolicyLine): string {
  const { allow, permissions } = policy;
  const withheld = withheldBy(policy).map(categoryWords);
  const who = agents(policy);
  if (allow.length === 0 || permissions.length === 0) {
    const nobody = policy.agentPattern === everyAgent && !policy.verifiedOnly;
    return `${nobody ? "No agent may" : `${who} may not`} touch ${list(withheld)}${conditions(policy)}.`;
  }
  const deeds = list([...permissions].sort().reverse());
  const except = withheld.length === 0 ? "" : `, except ${list(withheld)}`;
  return `${who} may ${deeds} ${list(allow.map(categoryWords))}${except}${conditions(policy)}.`;
}

// Decisions 5: a template's wildcard stops short of what is sensitive.
function withheldBy({ allow, deny, origin }: PolicyLine): Scope[] {
  const stopsShort = origin === "template" && allow.includes("prof:*");
  return [...new Set([...deny, ...(stopsShort ? sensitiveCategories : [])])];
}

function agents({ agentPattern, verifiedOnly }: PolicyLine): string {
  if (agentPattern === everyAgent) return verifiedOnly ? "Verified agents" : "All agents";
  return verifiedOnly ? `${agentPattern}, once verified,` : agentPattern;
}

function conditions({ purposes, maxRetention, expiresAt }: PolicyLine): string {
  const parts = [
    purposes.length > 0 && `for ${list(purposes.map((purpose) => purpose.replaceAll("_", " ")))}`,
    maxRetention !== null && `when kept no longer than ${maxRetention.replaceAll("_", " ")}`,
    expiresAt !== null && `until ${expiresAt.toISOString().slice(0, 10)}`,
  ];
  return parts.map((part) => (part === false ? "" : ` ${part}`)).join("");
}
