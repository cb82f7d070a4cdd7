// Forms show a value as the fields it consists of: no one writes JSON.

/** What a person can add. */
export const kinds = ["text", "number", "yes-no", "list", "fields"] as const;
export type Kind = (typeof kinds)[number];

/** A part of a value that is one field of a form. */
export type Leaf = string | number | boolean | null | string[];

export type Read = { value: unknown } | { fault: string };

const readers: Record<Kind, (text: string) => Read> = {
  text: (text) => (text === "" ? { fault: "Enter a text." } : { value: text }),
  number: (text) => {
    const isNumber = /^-?\d+(\.\d+)?([eE][-+]?\d+)?$/.test(text.trim());
    const value = Number(text);
    return isNumber && Number.isFinite(value)
      ? { value }
      : { fault: "Enter a number, like 12 or -0.5." };
  },
  "yes-no": (text) => ({ value: text === "yes" }),
  list: (text) => ({ value: linesOf(text) }),
  fields: (text) => {
    const pairs = linesOf(text).map((line) => line.split(/:(.*)/s).map((part) => part.trim()));
    const isWhole = pairs.every(([name = "", value = ""]) => name !== "" && value !== "");
    return pairs.length > 0 && isWhole
      ? { value: Object.fromEntries(pairs.map(([name, value]) => [name, value])) }
      : { fault: "Enter a name, a colon and a text on each line, like diet: vegetarian." };
  },
};

/** Reads what was typed for a new value. */
export function readTyped({ kind, text }: { kind: Kind; text: string }): Read {
  return readers[kind](unixLines(text));
}

/** Reads what was typed in place of a leaf, which stays exactly as it is if its text does. */
export function readLeaf(leaf: Leaf, typed: string): Read {
  const text = unixLines(typed);
  if (text === unixLines(textOf(leaf))) return { value: leaf };
  if (leaf === null || typeof leaf === "string") return { value: text };
  return readers[kindOf(leaf)](text);
}

export function kindOf(leaf: Leaf): Kind {
  if (typeof leaf === "number") return "number";
  if (typeof leaf === "boolean") return "yes-no";
  return Array.isArray(leaf) ? "list" : "text";
}

export function textOf(leaf: Leaf): string {
  if (typeof leaf === "boolean") return leaf ? "yes" : "no";
  return Array.isArray(leaf) ? leaf.join("\n") : String(leaf ?? "");
}

/** Lists the leaves of a value with the names that lead to each, in the order of the value. */
export function leavesOf(value: unknown, path: string[] = []): { path: string[]; leaf: Leaf }[] {
  if (isLeaf(value)) return [{ path, leaf: value }];
  return Object.entries(value ?? {}).flatMap(([name, inner]) =>
    leavesOf(inner, [...path, Array.isArray(value) ? `${Number(name) + 1}` : name]),
  );
}

/** Returns the value with other leaves, in the order of `leavesOf`. */
export function withLeaves(value: unknown, leaves: readonly unknown[]): unknown {
  let next = 0;
  const rebuild = (part: unknown): unknown => {
    if (isLeaf(part)) return leaves[next++];
    if (Array.isArray(part)) return part.map(rebuild);
    const members = Object.entries(part ?? {});
    return Object.fromEntries(members.map(([name, inner]) => [name, rebuild(inner)]));
  };
  return rebuild(value);
}

function isLeaf(value: unknown): value is Leaf {
  if (typeof value !== "object" || value === null) return true;
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

function unixLines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
