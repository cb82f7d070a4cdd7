import type { ProfileMeta } from "@/lib/protocol/answers/answer-meta";
import { type MemoriesByCategory, Memory } from "@/lib/protocol/answers/profile";
import { columns, minute, oneLine, tree } from "../print";

/** Categories one below the other: named values first, then records, newest first. */
export function memoriesText(memories: MemoriesByCategory): string {
  const categories = Object.entries(memories);
  if (categories.length === 0) return "No memories to see.";
  return categories.map(([category, value]) => `${category}\n${valueText(value)}`).join("\n\n");
}

function valueText(value: MemoriesByCategory[string]): string {
  if (Array.isArray(value)) return recordsText(value);
  // Protocol 6: where a category has both, the records are its member `memories`.
  const { memories, ...named } = value;
  const records = Memory.array().safeParse(memories);
  if (!records.success) return tree(value, "  ");
  return [tree(named, "  "), recordsText(records.data)].join("\n");
}

function recordsText(records: readonly Memory[]): string {
  const rows = records.map(({ id, content, confidence, createdAt }) => [
    id,
    confidence.toFixed(2),
    minute(createdAt),
    oneLine(content),
  ]);
  return columns(rows, "  ");
}

/** Says which parts an answer leaves out. */
export function notShown({ deniedScopes, truncated }: ProfileMeta): string[] {
  return [
    ...(deniedScopes ? ["", `Not shown: ${deniedScopes.join(", ")}`] : []),
    ...(truncated ? ["", `There is more in: ${truncated.join(", ")}`] : []),
  ];
}
