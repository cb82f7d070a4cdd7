import type { Issue } from "@/lib/protocol/errors";

// JSON.parse keeps the last of two equal keys and takes `__proto__`; two readers of one signed body
// could then see different requests. Decisions 8.

export type StrictJson = { value: unknown } | { issues: Issue[] };

const depthMax = 32;
const issuesMax = 20;
const forbiddenKeys = new Set(["__proto__", "constructor", "prototype"]);

export function parseStrictJson(bytes: Uint8Array): StrictJson {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { issues: [{ path: "body", message: "Must be UTF-8." }] };
  }
  const structure = structureFault(text);
  if (structure !== null) return { issues: [{ path: "body", message: structure.message }] };
  try {
    value = JSON.parse(text);
  } catch {
    return { issues: [{ path: "body", message: "Must be one JSON value." }] };
  }
  const issues = valueFaults(value);
  return issues.length > 0 ? { issues } : { value };
}

/** Where in the text, and what. */
export interface StructureFault {
  at: number;
  message: string;
}

export function valueFaults(value: unknown): Issue[] {
  const issues: Issue[] = [];
  collectValueIssues(value, "body", issues);
  return issues;
}

type Open = { keys: Set<string>; expectsKey: boolean } | null;

// Keys and depth, from the text: once parsed, a repeated key has left no trace. Runs before the
// parser, so it makes no assumption on the syntax, and holds its own stack, so depth is only a number.
export function structureFault(text: string): StructureFault | null {
  const open: Open[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    const top = open.at(-1);
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
  return null;
}

function collectValueIssues(value: unknown, path: string, issues: Issue[]): void {
  if (issues.length >= issuesMax) return;
  if (typeof value === "string" && !isCleanText(value)) {
    issues.push({ path, message: "Must be Unicode text without U+0000 and lone surrogates." });
  } else if (typeof value === "number" && !Number.isFinite(value)) {
    issues.push({ path, message: "Must be a number that a double can hold." });
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (!isCleanText(name)) issues.push({ path, message: "Must have clean member names." });
      collectValueIssues(member, `${path}.${name.slice(0, 64)}`, issues);
    }
  }
}

function isCleanText(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}
