import { structureFault, valueFaults } from "./strict-json";

export type JsonText = { value: unknown } | { fault: string };

/** JSON that a person typed, as strictly as a body is read, and with the line that is wrong. */
export function parseJsonText(text: string): JsonText {
  const structure = structureFault(text);
  if (structure !== null) return { fault: `${lineAt(text, structure.at)}: ${structure.message}` };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { fault: syntaxFault(text, error) };
  }
  const [first] = valueFaults(value);
  return first === undefined ? { value } : { fault: `${first.path}: ${first.message}` };
}

// V8 reports the position only in its message, and none for an unfinished text.
function syntaxFault(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  const [, place] = / position (\d+)/.exec(message) ?? [];
  const at = place === undefined ? text.length : Number(place);
  const found = text[at];
  const what =
    found === undefined
      ? "it ends too early. Is a bracket or a quotation mark missing?"
      : `this is not JSON at “${found === "\n" ? "end of line" : found}”. Look at commas, colons and quotation marks.`;
  return `${lineAt(text, at)}: ${what}`;
}

function lineAt(text: string, at: number): string {
  return `Line ${text.slice(0, at).split("\n").length}`;
}
