import { type Category, commonMemberScope, covers, type Scope } from "@/lib/protocol/scope";
import type { Rule } from "@/lib/rules/decide";
import type { SeenItem } from "@/lib/rules/effect/seen";
import type { Policy } from "@/lib/rules/facts";
import type { Part } from "@/lib/rules/parts/parts";
import type { Lens } from "@/lib/services/access/lens";
import { categoryTitle, isSensitive } from "../../_components/words/category";
import { counted, fittingCount, list } from "../../_components/words/list";
import { policySentence } from "../policy-sentence";

/** The lens in words, small enough to be sent at every turn of a switch. */
export interface LensView {
  /** How much the grant adds to what is seen already. */
  added: number;
  groups: LensGroups;
  already: LensGroups;
  /** What the agent sees now and would lose. */
  lost: LensGroups;
  /** Hidden content that the request is about. */
  hidden: HiddenLines;
  /** Hidden content of all other categories. */
  elsewhere: HiddenLines;
}

export interface LensGroups {
  groups: LensGroup[];
  /** How many categories there are beside. */
  more: number;
}

export interface HiddenLines {
  lines: HiddenLine[];
  /** How many lines there are beside. */
  more: number;
}

export interface LensGroup {
  category: Category;
  title: string;
  sensitive: boolean;
  items: { id: string; name: string | null; text: string }[];
  /** How many more there are. */
  more: number;
}

export interface HiddenLine {
  category: Category;
  title: string;
  what: string;
  why: string;
}

/** The agent's view as it is now. */
export interface LensNow {
  seen: number;
  groups: LensGroups;
  hidden: HiddenLines;
}

const unopened = "No rule opens it: the agent has to ask you.";
const itemsMax = 6;
/** Where nothing is imagined. */
const ownItemsMax = 24;
const textMax = 280;
/** In characters of one list of categories, with what their markup takes; the page of memories has all of them. */
const listedMax = 3_000;
const markupOf = 60;
const linesMax = 8;

/** `scopes`: those switched on in a request; null where none is being answered. */
export function lensView(lens: Lens, scopes: readonly Scope[] | null): LensView {
  const added = lens.items.filter(({ isNew }) => isNew);
  const bits = lens.hidden.flatMap(bitsOf);
  const isAsked = ({ governed }: Bit) => lens.requested.some((scope) => covers(scope, governed));
  return {
    added: added.length,
    groups: groupsOf(added),
    already: groupsOf(lens.items.filter(({ isNew }) => !isNew)),
    lost: groupsOf(lens.lost),
    hidden: hiddenLines(bits.filter(isAsked), { ...lens, scopes, none: "Not asked for." }),
    elsewhere: hiddenLines(
      bits.filter((bit) => !isAsked(bit)),
      { ...lens, scopes: null, none: scopes === null ? unopened : "Not asked for." },
    ),
  };
}

export function lensNow({ items, hidden, policies }: Lens): LensNow {
  return {
    seen: items.length,
    groups: groupsOf(items, ownItemsMax),
    hidden: hiddenLines(hidden.flatMap(bitsOf), { policies, scopes: null, none: unopened }),
  };
}

function groupsOf(items: readonly SeenItem[], shownMax = itemsMax): LensGroups {
  const all = [...grouped(items, ({ category }) => category)].map(
    ([category, group]): LensGroup => {
      const shown = group.slice(0, shownMax);
      return {
        category,
        title: categoryTitle(category),
        sensitive: isSensitive(category),
        items: shown.map(({ id, name, value }) => ({ id, name, text: valueText(value) })),
        more: group.length - shown.length,
      };
    },
  );
  const groups = all.slice(0, fittingCount(all, { of: sizeOf, max: listedMax }));
  return { groups, more: all.length - groups.length };
}

function sizeOf({ title, items }: LensGroup): number {
  return items.reduce((sum, { text }) => sum + markupOf + text.length, markupOf + title.length);
}

type Group<T> = [T, ...T[]];

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, Group<T>> {
  const groups = new Map<string, Group<T>>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

function valueText(value: unknown): string {
  const isList = Array.isArray(value) && value.every((one) => typeof one !== "object");
  const text =
    typeof value === "string" ? value : isList ? value.join(", ") : JSON.stringify(value);
  const characters = Array.from(text.slice(0, 2 * textMax + 1));
  return characters.length <= textMax ? text : `${characters.slice(0, textMax).join("")}…`;
}

// A part tells of a whole member of the profile; what governs a name in it may lie deeper.
type Bit = Pick<Part, "category" | "decision"> & { governed: Category; name: string };

function bitsOf({ kind, category, decision, names, items }: Part): Bit[] {
  if (kind === "memory") {
    return [{ category, decision, governed: category, name: counted(items, "memory", "memories") }];
  }
  return names.map((path) => {
    const [top = "", ...below] = path.split(".");
    if (kind === "named_value") {
      return { category, decision, governed: category, name: path.replaceAll(".", " › ") };
    }
    const governed = commonMemberScope(top, ...below);
    return { category, decision, governed, name: below.join(" › ") || path };
  });
}

interface Telling {
  policies: readonly Policy[];
  scopes: readonly Scope[] | null;
  /** Where no rule says anything. */
  none: string;
}

// One line per category and rule.
function hiddenLines(
  bits: readonly Bit[],
  { policies, scopes, ...otherwise }: Telling,
): HiddenLines {
  const shown = bits.map(({ category, governed, name, decision: { outcome, reason } }) => {
    const policy = policies.find(({ id }) => id === reason.policyId);
    const isOn = scopes?.some((scope) => covers(scope, governed));
    const none =
      isOn === undefined ? otherwise.none : isOn ? "Not in this grant." : "Switched off.";
    const isWaiting = isOn === false && outcome === "consent_required";
    return { category, name, why: isWaiting ? none : (why(reason.rule, policy) ?? none) };
  });
  const all = [...grouped(shown, (one) => JSON.stringify([one.category, one.why])).values()];
  const lines = all.slice(0, linesMax).map((group): HiddenLine => {
    const [{ category, why: reason }] = group;
    const what = list(group.map(({ name }) => name));
    return { category, title: categoryTitle(category), what, why: reason };
  });
  return { lines, more: all.length - lines.length };
}

// Null where no rule forbids it, but none allows it either.
function why(rule: Rule, policy: Policy | undefined): string | null {
  const sentence = policy === undefined ? "" : policySentence(policy);
  switch (rule) {
    case "deny":
      return `Your policy: ${sentence}`;
    case "ceiling":
      return "An admin of this gateway keeps this agent from it.";
    case "needs_verification":
      return `Your policy is for verified agents only: ${sentence}`;
    case "needs_purpose":
      return `Your policy is for another purpose: ${sentence}`;
    default:
      return null;
  }
}
