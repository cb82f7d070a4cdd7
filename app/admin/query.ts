import { firstParam as wholeOf } from "../dashboard/query";

/** Returns the value of a query parameter; undefined if it is repeated. */
export function firstParam(value: string | string[] | undefined): string | undefined {
  return wholeOf(value)?.slice(0, 200);
}

/** A place in a list that goes by a time and an id, as it stands in an address. */
export function placeText(at: Date, id: string | number): string {
  return `${at.toISOString()}~${id}`;
}

/** An address with those parameters that are set. */
export function withQuery(path: string, query: Record<string, string | undefined>): string {
  const set = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const text = new URLSearchParams(set).toString();
  return text === "" ? path : `${path}?${text}`;
}
