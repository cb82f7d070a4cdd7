import type { Category } from "@/lib/protocol/scope";
import { type Counts, sumOf } from "@/lib/rules/effect/seen";
import type { CategoryReach, ProfileReach } from "@/lib/services/access/sight/reach";
import type { NamedAgent } from "../../_components/shown/agent-name";
import { knownCategories } from "../../_components/words/category";
import { type ReaderClock, untilWords } from "../../_components/words/time";
import { openIn, openUntil } from "../agents/reach-words";

export const cellKinds = [
  "reads",
  "briefly",
  "takes",
  "proposes",
  "asks",
  "never",
  "nothing",
] as const;

/** What one agent can do with a category and all below it. */
export interface Cell {
  kind: (typeof cellKinds)[number];
  /** Whether a request of the agent waits for the owner, beside what the kind says. */
  isAsking: boolean;
  /** How many items it reads, or can after saying why where it reads nothing now; and how many there are. */
  items: number;
  all: number;
  isTaken: boolean;
  /** How many more it can read after saying why. */
  more: number;
  /** When the last of it closes; null until the owner ends it. */
  until: Date | null;
  /** Whether all of it closes then. */
  isOneEnd: boolean;
}

export interface Column {
  category: Category;
  items: number;
}

export interface Ending {
  agent: NamedAgent;
  category: Category;
  at: Date;
}

export interface Matrix {
  columns: Column[];
  /** Categories and agents that have no column and no row. */
  moreColumns: number;
  moreRows: number;
  /** Whether there may be even more agents. */
  isAtLeast: boolean;
  rows: { agent: NamedAgent; cells: Cell[] }[];
  /** What closes next to any agent. */
  nextEnd: Ending | null;
}

const columnsMax = 10;
const rowsMax = 8;

/** Folds what agents can do into one cell for each agent and root category. */
export function matrixOf({ categories, agents, leftOut }: ProfileReach): Matrix {
  const held = byRoot(categories);
  const columnOf = (category: Category) => ({ category, items: itemsIn(held.get(category) ?? []) });
  // An agent can request any category: those that hold something go first.
  const others = [...held.keys()]
    .filter((root) => !knownCategories.includes(root))
    .map(columnOf)
    .toSorted((a, b) => b.items - a.items);
  const all = [...knownCategories.map(columnOf), ...others];
  const columns = all.slice(0, columnsMax);
  const rows = agents.map(({ agent, categories }) => {
    const reaches = byRoot(categories);
    const cells = columns.map(({ category, items }) => cellOf(reaches.get(category) ?? [], items));
    return { agent, cells };
  });
  return {
    columns,
    moreColumns: all.length - columns.length,
    moreRows: Math.max(0, rows.length - rowsMax) + leftOut,
    isAtLeast: leftOut > 0,
    rows: rows.toSorted((a, b) => openTo(b) - openTo(a)).slice(0, rowsMax),
    nextEnd: nextEndIn(agents),
  };
}

function openTo({ cells }: Pick<Matrix["rows"][number], "cells">): number {
  return cells.reduce((sum, { items, more }) => sum + items + more, 0);
}

function cellOf(categories: readonly CategoryReach[], all: number): Cell {
  const open = openIn(categories);
  const ends = open.map((one) => openUntil(one)?.getTime() ?? Number.POSITIVE_INFINITY);
  const last = Math.max(0, ...ends);
  const until = open.length === 0 || last === Number.POSITIVE_INFINITY ? null : new Date(last);
  const read = open.filter(({ reads }) => reads !== null);
  const taken = open.filter(({ reads }) => reads === null);
  const isTaken = read.length === 0;
  return {
    kind: kindOf(categories, isTaken ? "takes" : until === null ? "reads" : "briefly"),
    isAsking: categories.some(({ asks }) => asks !== null),
    ...{ items: itemsIn(isTaken ? taken : read), all, isTaken },
    ...{ more: isTaken ? 0 : itemsIn(taken), until },
    isOneEnd: until === null || ends.every((end) => end === last),
  };
}

function kindOf(categories: readonly CategoryReach[], opened: Cell["kind"]): Cell["kind"] {
  if (openIn(categories).length > 0) return opened;
  if (categories.some(({ asks }) => asks !== null)) return "asks";
  if (categories.some(({ proposes }) => proposes !== null)) return "proposes";
  const isNever = categories.length > 0 && categories.every(({ never }) => never !== null);
  return isNever ? "never" : "nothing";
}

/** How much of a category it reads, or can; null where that is all of it, or nothing. */
export function partOf({ kind, items, all }: Cell): number | null {
  return ["reads", "briefly", "takes"].includes(kind) && items < all ? items : null;
}

/** "can read 3 of 412 until 24 December 2026" */
export function cellWords(cell: Cell, clock: ReaderClock): string {
  switch (cell.kind) {
    case "reads":
    case "briefly":
    case "takes":
      return `${cell.isAsking ? "asks you, and " : ""}${openWords(cell, clock)}`;
    case "asks":
      return "asks you";
    case "proposes":
      return "may only propose";
    case "never":
      return "never";
    case "nothing":
      return "nothing unless you grant it";
  }
}

interface Line extends Pick<Cell, "kind" | "isAsking"> {
  words: string;
  /** The columns of the cells that say this. */
  places: number[];
}

/** What a row says, cells with the same words together; those that are closed until the owner grants it left out. */
export function linesOf(cells: readonly Cell[], clock: ReaderClock): Line[] {
  const lines = new Map<string, Line>();
  for (const [place, cell] of cells.entries()) {
    if (cell.kind === "nothing") continue;
    const words = cellWords(cell, clock);
    const line = lines.get(words) ?? { ...cell, words, places: [] };
    lines.set(words, { ...line, places: [...line.places, place] });
  }
  return [...lines.values()];
}

const taken = " without asking you, after saying why";

function openWords(cell: Cell, clock: ReaderClock): string {
  const { items, all, isTaken, more, until, isOneEnd } = cell;
  const some = items === all ? numeral(all) : `${numeral(items)} of ${numeral(all)}`;
  const what = all === 0 ? "what is added" : some;
  const deed = `can read ${what}${isTaken ? taken : ""}`;
  const besides = more === 0 ? "" : `, and ${numeral(more)} more${taken}`;
  if (until === null) return `${deed}${besides}`;
  const joint = isTaken || more > 0 ? "," : "";
  return `${deed}${besides}${isOneEnd ? joint : ", the last of it"} ${untilWords(until, clock)}`;
}

function numeral(count: number): string {
  return count.toLocaleString("en");
}

function itemsIn(counts: readonly Counts[]): number {
  const { memories, values } = sumOf(counts);
  return memories + values;
}

function byRoot<T extends { category: Category }>(all: readonly T[]): Map<Category, T[]> {
  const roots = new Map<Category, T[]>();
  for (const one of all) {
    const [root = one.category] = one.category.split(".");
    roots.set(root, [...(roots.get(root) ?? []), one]);
  }
  return roots;
}

function nextEndIn(agents: ProfileReach["agents"]): Ending | null {
  const ends = agents.flatMap(({ agent, categories }) =>
    openIn(categories).flatMap((one) => {
      const at = openUntil(one);
      return at === null ? [] : [{ agent, category: one.category, at }];
    }),
  );
  return ends.toSorted((a, b) => a.at.getTime() - b.at.getTime())[0] ?? null;
}
