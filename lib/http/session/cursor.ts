import { z } from "zod";

/** Where a page of a list ended: an instant, and the id, number or DID that tells apart what shares it. */
export interface Place {
  at: Date;
  id: string;
  /** Of a search: how good a match it was; 0 is the best. */
  tier?: number;
}

const form =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~([a-z]{2,5}_[0-9A-Za-z]{1,32}|\d{1,10}|did:prof:agent:[A-Za-z0-9._:-]{1,130})(?:~([01]))?$/;

/** A place as it stands in an address; null after the last page. */
export function cursorOf(place: Place | null): string | null {
  if (place === null) return null;
  const { at, id, tier = 0 } = place;
  return `${at.toISOString()}~${id}${tier === 0 ? "" : `~${tier}`}`;
}

/** The place that an address names; undefined where it names none. */
export function placeOf(cursor: string | undefined): Required<Place> | undefined {
  const [, instant = "", id = "", tier = "0"] = form.exec(cursor ?? "") ?? [];
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? undefined : { at, id, tier: Number(tier) };
}

export const Cursor = z
  .string()
  .refine((text) => placeOf(text) !== undefined, "Must be `meta.next` of the page before.");
