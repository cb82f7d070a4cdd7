import { Prisma } from "@/lib/engine/prisma-client/client";

// Protocol 6: a pending proposal past its end counts as rejected, whether or not the job has stored that. While it is
// held apart, its time does not run.

/** The condition on a proposal's columns, or on those of the row with this name. */
export const isPending = (now: Date, row = Prisma.empty) =>
  Prisma.sql`(${row}status = 'pending' AND (${row}"expiresAt" > ${now} OR ${row}"heldAt" IS NOT NULL))`;

/** The same, and it is not held apart: its owner decides it. */
export const isWaiting = (now: Date, row = Prisma.empty) =>
  Prisma.sql`(${row}status = 'pending' AND ${row}"heldAt" IS NULL AND ${row}"expiresAt" > ${now})`;

/** That it waits, for Prisma Client. */
export const waitingAt = (now: Date) => ({
  status: "pending" as const,
  heldAt: null,
  expiresAt: { gt: now },
});

/** That it is pending, for Prisma Client. */
export const pendingAt = (now: Date) => ({
  status: "pending" as const,
  OR: [{ expiresAt: { gt: now } }, { heldAt: { not: null } }],
});
