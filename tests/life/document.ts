import { readFileSync } from "node:fs";

const text = readFileSync("docs/operations.md", "utf8");

/** Returns the commands of the block with this title in docs/operations.md, with values for the words in capitals. */
export function commandsOf(title: string, values: Record<string, string>): string {
  const [, commands] = new RegExp(`^\`\`\`sh ${title}\n([^\`]*)^\`\`\`$`, "m").exec(text) ?? [];
  if (commands === undefined) throw new Error(`docs/operations.md has no commands "${title}".`);
  return commands.replace(/\b[A-Z]{4,}\b/g, (word) => values[word] ?? word);
}
