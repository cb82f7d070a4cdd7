import type { Tx } from "@/lib/engine/db";

// Held while the set of admins may change: two instances that start at once create one first link, and of two
// admins who leave at once the second is refused.
export const adminsLock = 7_105_316_001n;

/** Under the lock: whether no other admin could sign in. */
export async function isLastAdmin(tx: Tx, userId: string): Promise<boolean> {
  const rowCount =
    await tx.$executeRaw`SELECT FROM "User" u WHERE u.id = ${userId} AND u.role = 'admin' AND NOT EXISTS
       (SELECT FROM "User" o WHERE o.role = 'admin' AND o.state = 'active' AND o.id <> ${userId})`;
  return rowCount !== 0;
}

// The last admin stays one, so this is asked no more once it is true.
const settled = new WeakSet<Tx>();

/** Whether the gateway has an admin. */
export async function hasAdmin({ db }: { db: Tx }): Promise<boolean> {
  if (settled.has(db)) return true;
  const isSettled = (await db.user.count({ where: { role: "admin" }, take: 1 })) > 0;
  if (isSettled) settled.add(db);
  return isSettled;
}
