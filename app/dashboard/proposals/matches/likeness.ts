import type { Resembling } from "@/lib/services/proposals/resembling";
import type { Likeness } from "../review/card/card-data";

/** The nearest memory, else the nearest proposal that waits. */
export function likenessOf(resembling: readonly Resembling[]): Likeness {
  const nearest = resembling.find(({ kind }) => kind === "memory") ?? resembling[0];
  if (nearest === undefined) return { kind: "none" };
  const { kind, id, content } = nearest;
  return kind === "memory"
    ? { kind: "close", memoryId: id, content }
    : { kind: "waiting", proposalId: id, content };
}
