import { createHash } from "node:crypto";
import type { Prisma } from "@/lib/engine/prisma-client/client";

// Protocol 9: each event's hash covers the hash before it and every word of the event.

export type ChainedEvent = Prisma.AccessEventGetPayload<object>;

/** The hash before a profile's first event. */
export const chainStart = Buffer.alloc(32);

export interface Link {
  before: Uint8Array;
  position: bigint;
  event: ChainedEvent;
}

export function hashOf({ before, position, event }: Link): Buffer {
  const { position: _position, hash: _hash, ...rest } = event;
  return createHash("sha256")
    .update(before)
    .update(canonicalJson({ ...rest, position }))
    .digest();
}

// Returns the same text for the same event, whatever the order of its members. All names are ours, and none is
// a number, which JavaScript would sort first.
function canonicalJson(value: unknown): string {
  if (typeof value === "bigint") return `"${value}"`;
  if (typeof value !== "object" || value === null || value instanceof Date) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}
