import type { Category } from "@/lib/protocol/scope";

export const namedValuesMax = 500;

/** Maximum size of one value, as JSON. */
export const valueBytesMax = 16 * 1024;

/** Maximum size of a profile's common members. The database checks the stored text. */
export const commonBytesMax = 64 * 1024;

/** The member of a profile with a category's records. Protocol 6. */
const recordsMember = "memories";

/** Returns what is wrong with a value's name, or null. */
export function faultOfValueName(name: string): string | null {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    return "Use 1 to 64 letters, digits, dashes or underscores.";
  }
  return name === recordsMember
    ? `“${recordsMember}” is where the records of a category stand. Choose another name.`
    : null;
}

export type NamedValueKey = { category: Category; name: string };
