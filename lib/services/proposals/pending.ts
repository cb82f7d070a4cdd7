import { Prisma } from "@/lib/engine/prisma-client/client";

// Protocol 6: a pending proposal past its end counts as rejected, whether or not the job has stored that.

/** The condition on a proposal's columns, or on those of the row with this name. */
export const isPending = (now: Date, row = Prisma.empty) =>
  Prisma.sql`(${row}status = 'pending' AND ${row}"expiresAt" > ${now})`;

/** The same for Prisma Client. */
export const pendingAt = (now: Date) => ({ status: "pending" as const, expiresAt: { gt: now } });
