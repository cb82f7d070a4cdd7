import type { Issue } from "@/lib/protocol/errors";

// JSON.parse keeps the last of two equal keys and takes `__proto__`; two readers of one signed body
// could then see different requests. Protocol 8.

export type StrictJson = { value: unknown } | { issues: Issue[] };

const depthMax = 32;
// Enough for the largest import. A body of 64 KiB cannot hold more.
const valuesMax = 3_000_000;
// An object of millions takes a hundred times its text; the largest in a profile has 64 KiB.
const membersMax = 20_000;
const issuesMax = 20;
const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

/** `part` names the input in refusals. */
export function parseStrictJson(bytes: Uint8Array, part = "body"): StrictJson {
  const refused = (message: string) => ({ issues: [{ path: part, message }] });
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refused("Must be UTF-8.");
  }
  const structure = structureFault(text);
  if (structure !== null) return refused(structure.message);
  try {
    value = JSON.parse(text);
  } catch {
    return refused("Must be one JSON value.");
  }
  const issues = valueFaults(value, part);
  return issues.length > 0 ? { issues } : { value };
}

/** The position in the text, and the fault. */
export interface StructureFault {
  at: number;
  message: string;
}

export function valueFaults(value: unknown, part = "body"): Issue[] {
  const issues: Issue[] = [];
  collectValueIssues(value, [part], issues);
  return issues;
}

type Open = { keys: Set<string>; expectsKey: boolean } | null;

// Checks keys, depth and number of values in the text, because parsing loses repeated keys. Runs before the
// parser, so it assumes no valid syntax and keeps its own stack.
export function structureFault(text: string): StructureFault | null {
  const open: Open[] = [];
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    const top = open.at(-1);
    // Each of these comes before a value, or before the end of an empty list or object.
    if (character === "," || character === "{" || character === "[") values += 1;
    if (values > valuesMax) {
      return { at, message: `Must not hold more than ${valuesMax.toLocaleString("en")} values.` };
    }
    if (character === '"') {
      const end = endOfString(text, at);
      const message = top?.expectsKey ? keyFault(text.slice(at, end + 1), top.keys) : null;
      if (message !== null) return { at, message };
      at = end;
    } else if (character === "{" || character === "[") {
      if (open.length === depthMax) {
        return { at, message: `Must not be nested deeper than ${depthMax} levels.` };
      }
      open.push(character === "{" ? { keys: new Set(), expectsKey: true } : null);
    } else if (character === "}" || character === "]") {
      open.pop();
    } else if (top && (character === "," || character === ":")) {
      top.expectsKey = character === ",";
    }
  }
  return null;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}

function keyFault(literal: string, keys: Set<string>): string | null {
  let key: string;
  try {
    key = JSON.parse(literal);
  } catch {
    return "Must be one JSON value.";
  }
  if (forbiddenKeys.has(key)) return `Must not have a member ${key}.`;
  if (keys.has(key)) return "Must not have the same member twice.";
  keys.add(key);
  return keys.size > membersMax
    ? `Must not have objects of more than ${membersMax.toLocaleString("en")} members.`
    : null;
}

type Path = (string | number)[];

// By index, and with a path that is written out only for an issue: entries and paths of millions of members
// take seconds.
function collectValueIssues(value: unknown, path: Path, issues: Issue[]): void {
  if (issues.length >= issuesMax) return;
  const message = valueFault(value);
  if (message !== null) issues.push({ path: written(path), message });
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      path.push(at);
      collectValueIssues(value[at], path, issues);
      path.pop();
    }
  } else if (typeof value === "object" && value !== null) {
    for (const name of Object.keys(value)) {
      if (!isCleanText(name)) {
        issues.push({ path: written(path), message: "Must have clean member names." });
      }
      path.push(name);
      collectValueIssues(Reflect.get(value, name), path, issues);
      path.pop();
    }
  }
}

function valueFault(value: unknown): string | null {
  if (typeof value === "string") {
    return isCleanText(value) ? null : "Must be Unicode text without U+0000 and lone surrogates.";
  }
  const isNumber = typeof value === "number";
  return isNumber && !Number.isFinite(value) ? "Must be a number that a double can hold." : null;
}

function written(path: Path): string {
  return path.map((name) => String(name).slice(0, 64)).join(".");
}

function isCleanText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
