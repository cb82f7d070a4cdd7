import { z } from "zod";

/** The end of a list's page: an instant, and the id that separates rows of the same instant. */
export interface Position {
  at: Date;
  id: string;
  /** How good a match of a search is; 0 is the best. */
  tier?: number;
}

const form =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~([a-z]{2,5}_[0-9A-Za-z]{1,32}|\d{1,10}|did:prof:agent:[A-Za-z0-9._:-]{1,130})(?:~([01]))?$/;

/** Formats a position for an address; null after the last page. */
export function formatCursor(place: Position | null): string | null {
  if (place === null) return null;
  const { at, id, tier = 0 } = place;
  return `${at.toISOString()}~${id}${tier === 0 ? "" : `~${tier}`}`;
}

/** As the database numbers its rows. */
const numberMax = 2 ** 31 - 1;

/** Parses a position; undefined if it is invalid. */
export function parseCursor(cursor: string | undefined): Required<Position> | undefined {
  const [, instant = "", id = "", tier = "0"] = form.exec(cursor ?? "") ?? [];
  const at = new Date(instant);
  // An id that is no number is not above it either.
  const isPlace = !Number.isNaN(at.getTime()) && !(Number(id) > numberMax);
  return isPlace ? { at, id, tier: Number(tier) } : undefined;
}

export const Cursor = z
  .string()
  .refine((text) => parseCursor(text) !== undefined, "Must be `meta.next` of the page before.");
