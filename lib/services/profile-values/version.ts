import { createHash } from "node:crypto";

/** Returns the version of some values, undefined for those that do not exist: a form names what it was shown. */
export function versionOfValues(values: readonly unknown[]): string {
  const known = values.map((value) => (value === undefined ? [] : [value]));
  return createHash("sha256").update(JSON.stringify(known)).digest("base64url");
}

/** The version of a value that does not exist. */
export const absentVersion = versionOfValues([undefined]);

export function isSameValue(one: unknown, other: unknown): boolean {
  return versionOfValues([one]) === versionOfValues([other]);
}

/** What became of a value, as events name it. */
export function deedOf(before: unknown, after: unknown): "added" | "changed" | "removed" {
  if (after === undefined) return "removed";
  return before === undefined ? "added" : "changed";
}
