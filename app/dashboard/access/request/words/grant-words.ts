import { counted } from "../../../../_components/words/list";

// What the form says of itself while it is filled in. Apart from everything that a browser does not need.

/** The name of a switch begins with this, and its scope follows; one that is off sends nothing. */
export const switchPrefix = "scope:";

/** One switch: what it opens by itself. */
export interface Part {
  scope: string;
  memories: number;
  values: number;
  /** Whether it opens what is added later too. */
  opens: boolean;
  /** The other scopes that open all of this too. */
  within: readonly string[];
}

/** For how long: "for 1 day" on the button, "until tomorrow, 14:05" beside it. */
export interface Lasting {
  grant: string;
  ends: string;
}

export interface Chosen {
  /** Those with a switch. */
  parts: readonly Part[];
  /** The scopes that are switched on. */
  on: ReadonlySet<string>;
  lasting: Lasting | undefined;
}

/** "1,428 memories and 3 values", "nothing yet". */
export function heldWords({ memories, values }: Pick<Part, "memories" | "values">): string {
  const words = [
    ...(memories > 0 ? [counted(memories, "memory", "memories")] : []),
    ...(values > 0 ? [counted(values, "value")] : []),
  ];
  return words.length === 0 ? "nothing yet" : words.join(" and ");
}

interface Summary {
  opens: string;
  /** How much of what was asked for, or what is still to be chosen. */
  rest: string;
  /** Moves on with the clock; null where nothing is granted yet. */
  ends: string | null;
}

/** What the grant would open, and until when. */
export function summaryWords({ parts, on, lasting }: Chosen): Summary {
  if (parts.length === 0) {
    return { opens: "Nothing can be opened.", rest: "You can only deny this request.", ends: null };
  }
  const open = parts.filter(({ scope }) => on.has(scope));
  if (open.length === 0) {
    const rest = lasting === undefined ? ", and choose for how long" : "";
    return { opens: "Nothing is open.", rest: `Switch on what it may read${rest}.`, ends: null };
  }
  const own = open.filter(({ within }) => !within.some((scope) => on.has(scope)));
  const sum = {
    memories: own.reduce((all, { memories }) => all + memories, 0),
    values: own.reduce((all, { values }) => all + values, 0),
  };
  const opens = opensWords(
    sum,
    own.some((one) => one.opens),
  );
  const share = parts.length === 1 ? [] : [`${open.length} of ${parts.length} categories`];
  const rest = [...share, ...(lasting === undefined ? ["choose for how long"] : [])];
  return { opens, rest: dotted(rest), ends: lasting === undefined ? null : dotted([lasting.ends]) };
}

function dotted(words: readonly string[]): string {
  return words.map((one) => `· ${one}`).join(" ");
}

function opensWords(sum: Pick<Part, "memories" | "values">, isLater: boolean): string {
  if (sum.memories + sum.values > 0) {
    return `${heldWords(sum)} now${isLater ? ", and what is added later" : ""}`;
  }
  return isLater
    ? "Nothing is there yet: what is added later will be read"
    : "Nothing is there yet: only a part of what is added later will be read";
}

/** "Grant 2 of 3 for 1 day" */
export function grantWords({ parts, on, lasting }: Chosen): string {
  const count = parts.filter(({ scope }) => on.has(scope)).length;
  if (count === 0) return "Grant";
  const share = parts.length === 1 ? "" : ` ${count} of ${parts.length}`;
  return `Grant${share}${lasting === undefined ? "" : ` ${lasting.grant}`}`;
}
