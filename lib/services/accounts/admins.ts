import type { Tx } from "@/lib/engine/db";
// Held while it may change who is an admin: two instances that start at once make one link to the
// first, and of two admins who leave at once the second learns to be the last.
export const adminsLock = 7_105_316_001n;

/** Under the lock: whether nobody would be left who could sign in and look after the gateway. */
export async function isLastAdmin(tx: Tx, userId: string): Promise<boolean> {
  const rowCount =
    await tx.$executeRaw`SELECT FROM "User" u WHERE u.id = ${userId} AND u.role = 'admin' AND NOT EXISTS
       (SELECT FROM "User" o WHERE o.role = 'admin' AND o.state = 'active' AND o.id <> ${userId})`;
  return rowCount !== 0;
}
