import { parseCursor } from "@/lib/http/session/cursor";
import type { ReceiptState } from "@/lib/services/receipts/list-receipts";
import { firstParam } from "../query";

/** Where two lists on one page stand. */
export interface Input {
  /** After which request the page of requests begins. */
  from: Place | undefined;
  state: ReceiptState | undefined;
  /** Before which receipt the page of receipts begins. */
  before: Place | undefined;
}

interface Place {
  at: Date;
  id: string;
}

const states = ["active", "expired", "revoked"] as const;

type Query = Partial<Record<"from" | "receipts" | "before", string | string[]>>;

export function readQuery({ from, receipts, before }: Query): Input {
  return {
    from: parseCursor(firstParam(from)),
    state: states.find((one) => one === firstParam(receipts)),
    before: parseCursor(firstParam(before)),
  };
}

export function accessHref({ from, state, before }: Input): string {
  const query = new URLSearchParams();
  if (from !== undefined) query.set("from", placeText(from));
  if (state !== undefined) query.set("receipts", state);
  if (before !== undefined) query.set("before", placeText(before));
  const text = query.toString();
  const anchor = before === undefined ? "" : "#receipts";
  return `/dashboard/access${text === "" ? "" : `?${text}`}${anchor}`;
}

function placeText({ at, id }: Place): string {
  return `${at.toISOString()}~${id}`;
}
