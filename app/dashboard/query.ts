/** One value of a query parameter; more than one is none, and so is what nothing stored can hold. */
export function firstParam(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" && value !== "" && !value.includes("\0") ? value : undefined;
}
