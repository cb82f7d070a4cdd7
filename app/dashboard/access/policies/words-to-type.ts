import { covers, overlaps, sensitiveCategories } from "@/lib/protocol/scope";
import type { Policy } from "@/lib/rules/facts";
import { categoryWords } from "../../../_components/words/category";
import { list } from "../../../_components/words/list";

export type BroadRule = Pick<Policy, "agentPattern" | "allow" | "deny" | "permissions"> & {
  origin?: Policy["origin"];
};

/** Returns what is typed before a rule opens everything, or what is sensitive, to many; null for other rules. */
export function wordsToType({
  agentPattern,
  allow,
  deny,
  permissions,
  origin,
}: BroadRule): string | null {
  if (!agentPattern.includes("*") || !permissions.includes("read")) return null;
  // Protocol 5: a template's wildcard stops short of what is sensitive.
  const opened = origin === "template" ? allow.filter((scope) => scope !== "prof:*") : allow;
  const sensitive = sensitiveCategories.filter(
    (one) =>
      opened.some((scope) => overlaps(scope, one)) && !deny.some((scope) => covers(scope, one)),
  );
  if (allow.includes("prof:*")) {
    return sensitive.length === 0 ? "everything" : "everything, sensitive too";
  }
  return sensitive.length === 0 ? null : list(sensitive.map(categoryWords));
}
