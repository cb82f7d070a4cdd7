/** Where an owner asks about a request or a proposal. */
export function askHref(id: string): string {
  return `/dashboard/ask/${id}`;
}
