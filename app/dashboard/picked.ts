import { tickedUnder } from "@/lib/http/session/form-fields";
import { categoryTyped } from "../_components/words/category";

/** What a ListPicker sends: what is ticked, then what is typed, each once. */
export function pickedIn(name: string, typed: Readonly<Record<string, string>>): string[] {
  const others = (typed[`${name}.others`] ?? "").split(/[,;\n]/).map((word) => word.trim());
  return [...new Set([...tickedUnder(`${name}:`, typed), ...others.filter((word) => word !== "")])];
}

/** The same for categories, which are typed as people say them, or as agents do. */
export function categoriesIn(name: string, typed: Readonly<Record<string, string>>): string[] {
  return [...new Set(pickedIn(name, typed).map(categoryTyped))];
}

/** The values with which a ListPicker shows these as chosen: those that it does not list are typed. */
export function pickedValues(
  name: string,
  chosen: readonly string[],
  listed: ReadonlySet<string>,
): Record<string, string> {
  const ticked = chosen.filter((value) => listed.has(value));
  const typed = chosen.filter((value) => !listed.has(value));
  return {
    ...Object.fromEntries(ticked.map((value) => [`${name}:${value}`, "on"])),
    [`${name}.others`]: typed.join(", "),
  };
}
