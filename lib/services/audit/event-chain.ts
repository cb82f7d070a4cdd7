import { createHash } from "node:crypto";
import type { Prisma } from "@/lib/engine/prisma-client/client";

// Decisions 9: each event's hash covers the hash before it and every word of the event.

export type ChainedEvent = Prisma.AccessEventGetPayload<object>;

/** What stands before a profile's first event. */
export const chainStart = Buffer.alloc(32);

export interface Link {
  before: Buffer;
  position: bigint;
  event: ChainedEvent;
}

export function hashOf({ before, position, event }: Link): Buffer {
  const { position: _position, hash: _hash, ...told } = event;
  return createHash("sha256")
    .update(before)
    .update(canonicalJson({ ...told, position }))
    .digest();
}

// The same text for the same event, in whatever order a database gives the members back.
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member === "bigint") return member.toString();
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
