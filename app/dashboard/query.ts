/** Returns the value of a query parameter; undefined if it is repeated or cannot be stored. */
export function firstParam(value: string | string[] | undefined): string | undefined {
  return typeof value === "string" && value !== "" && !value.includes("\0") ? value : undefined;
}
