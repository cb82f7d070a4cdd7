import { fittingCount } from "@/app/_components/words/list";
import { valueName } from "@/app/_components/words/value-name";
import { invalidRequest } from "@/lib/protocol/errors";
import { commonValuesOf } from "@/lib/services/profile-values/edit-common";
import type { OwnNamedValue } from "@/lib/services/profile-values/read";
import { leavesOf, readLeaf, withLeaves } from "./typed-value";

/** A value in the one form of a page, by the name of its fields. */
export interface FormValue {
  key: string;
  /** The member or category that it is in. */
  group: string;
  name: string;
  value: unknown;
}

export type NamedFormValue = FormValue & OwnNamedValue;

/** The named values as the form of their page shows them. */
export function namedFormValues(values: readonly OwnNamedValue[]): NamedFormValue[] {
  return values.map((value) => ({
    ...value,
    key: `${value.category}/${value.name}`,
    group: value.category,
  }));
}

/** The common values as the form of the profile page shows them. */
export function commonFormValues(common: Record<string, unknown>) {
  return commonValuesOf(common).map(({ member, name, value }) => ({
    key: `${member}/${name ?? ""}`,
    group: member,
    name: name ?? member,
    value,
    at: { member, name },
  }));
}

// A form has at most 200 fields.
const fieldsPerPageMax = 120;
const fieldsPerValueMax = 40;

/** Whether a value is too large to be edited by its fields: then it is only shown. */
export function isLarge(value: unknown): boolean {
  return leavesOf(value).length > fieldsPerValueMax;
}

/** Returns how many of the first values fit into one form. */
export function countFitting(values: readonly FormValue[]): number {
  const of = ({ value }: FormValue) => 1 + (isLarge(value) ? 0 : leavesOf(value).length);
  return fittingCount(values, { of, max: fieldsPerPageMax });
}

interface Sent {
  fields: Record<string, unknown>;
  /** The key of the value to remove. */
  remove?: string;
}

/** Returns the values that a form shows as they were typed, the removed one as undefined; throws what is wrong. */
export function readValues<Value extends FormValue>(
  values: readonly Value[],
  { fields, remove }: Sent,
): Value[] {
  const issues: { path: string; message: string }[] = [];
  const read = values
    .filter(({ key }) => Object.hasOwn(fields, key))
    .map((shown) => {
      const { key, value } = shown;
      if (key === remove) return { ...shown, value: undefined };
      if (isLarge(value)) return shown;
      const leaves = leavesOf(value).map(({ leaf }, at) => {
        const path = `${key}.${at}`;
        const typed = fields[path];
        const result = typeof typed === "string" ? readLeaf(leaf, typed) : { value: leaf };
        if ("value" in result) return result.value;
        issues.push({ path, message: result.fault });
        return leaf;
      });
      return { ...shown, value: withLeaves(value, leaves) };
    });
  if (issues.length > 0) throw invalidRequest(issues);
  return read;
}

/** What was saved, with the undo of a removal: the value itself, for nothing else keeps it. */
export function savedWords(count: number, removed: { name: string; undo: unknown } | undefined) {
  if (removed === undefined) {
    return { ok: true, message: count === 0 ? "Nothing was changed." : "Saved." };
  }
  const what = `“${valueName(removed.name)}”`;
  return {
    ok: true,
    message: count > 1 ? `Saved, and removed ${what}.` : `Removed ${what}.`,
    undo: { kind: "value", id: JSON.stringify(removed.undo) },
  };
}
