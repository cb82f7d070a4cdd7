import { everyAgent } from "@/lib/rules/facts";
import type { ListedPolicy } from "@/lib/services/policies/list";
import { prefixes, type Values, type WhoChoice } from "./fields";

/** A new rule starts narrow: nobody chosen, reading only. */
export const blank: Values = { [`${prefixes.may}read`]: "on", until: "never" };

/** A policy as its form shows it. */
export function initialValues(policy: ListedPolicy): Values {
  const { agentPattern, verifiedOnly, maxRetention, receiptSeconds, expiresAt } = policy;
  const who = whoOf(policy);
  const tick = (prefix: string, values: readonly string[]) =>
    Object.fromEntries(values.map((value) => [`${prefix}${value}`, "on"]));
  return {
    who,
    agentDid: who === "one" ? agentPattern : "",
    agentPattern: who === "pattern" ? agentPattern : "",
    ...(verifiedOnly ? { whileVerified: "on" } : {}),
    ...tick(prefixes.allow, policy.allow),
    ...tick(prefixes.deny, policy.deny),
    ...tick(prefixes.may, policy.permissions),
    ...tick(prefixes.purpose, policy.purposes),
    maxRetention: maxRetention ?? "",
    receiptHours: receiptSeconds === null ? "" : String(receiptSeconds / 3_600),
    until: expiresAt === null ? "never" : "kept",
    keptUntil: expiresAt?.toISOString() ?? "",
  };
}

function whoOf({ agentPattern, verifiedOnly }: ListedPolicy): WhoChoice {
  if (agentPattern === everyAgent) return verifiedOnly ? "verified" : "all";
  return agentPattern.includes("*") ? "pattern" : "one";
}
