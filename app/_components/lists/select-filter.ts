import type { Filter } from "./filter-bar";

/** A filter of few choices, each named by its value. */
export function selectFilter(
  name: string,
  label: string,
  value: string | undefined,
  choices: Record<string, string>,
): Filter {
  return { kind: "select", name, label, value, choices: Object.entries(choices) };
}
