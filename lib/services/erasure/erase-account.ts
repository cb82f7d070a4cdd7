import type { Tx } from "@/lib/engine/db";
import { notFound } from "@/lib/protocol/errors";
import { sessionCaller } from "../accounts/sessions";
import { leaveAgentsOf, lockAgentsOf, revokeKeysBy } from "../agents/agents-of";
import type { Ctx } from "../context";
import { endTransfersOf } from "../transfers/complete";
import { enqueue } from "../webhooks/enqueue";
import { statesOf } from "../webhooks/notify-agents";
import { pauseWebhooksOf } from "../webhooks/pause";
import { tombstoneOf } from "./delete-profile";
import { type Erased, eraseProfile } from "./erase-profile";

export interface ErasedAccount {
  profiles: Erased[];
  /** Keys that they added to agents as an admin. */
  revokedKeys: number;
}

/** Part of a transaction with `admins: true`: erases the person, and everything that is theirs. */
export async function eraseAccount(
  tx: Tx,
  { ctx, userId }: { ctx: Ctx; userId: string },
): Promise<ErasedAccount> {
  const { now } = ctx;
  // The person before the profiles: none may be added or handed over to them from here on.
  const people = await tx.$queryRaw<
    { isAdmin: boolean }[]
  >`SELECT role = 'admin' AND state = 'active' AS "isAdmin" FROM "User" WHERE id = ${userId} FOR UPDATE`;
  const [person] = people;
  if (person === undefined) throw notFound("user");
  // Agents before profiles, in the order in which everybody locks them.
  await lockAgentsOf(tx, userId);
  const revokedKeys = await revokeKeysBy(tx, { userId, now });
  const agents = await leaveAgentsOf(tx, { userId, now, ...person });
  const rows = await tx.$queryRaw<
    (Erased & { ownerId: string })[]
  >`SELECT id, did, "ownerId" FROM "Profile" WHERE "ownerId" = ${userId}
       OR id IN (SELECT "profileId" FROM "Transfer" WHERE ${userId} IN ("toUserId", "requestedBy"))
     ORDER BY id FOR UPDATE`;
  const profiles = rows.filter(({ ownerId }) => ownerId === userId);
  await endTransfersOf(tx, {
    ctx: { ...ctx, caller: { kind: "gateway" } },
    ...{ userId, as: ["toUserId", "requestedBy"], verb: "voidTransfer" },
  });
  const events = await statesOf(tx, { agents });
  for (const profile of profiles) events.push(...(await eraseProfile(tx, { profile, now })));
  const { email } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { email: true },
  });
  await tx.oneTimeLink.deleteMany({ where: { OR: [{ email }, { createdBy: userId }] } });
  await tx.delivery.deleteMany({ where: { recipient: { in: [userId, email] } } });
  await tx.rateWindow.deleteMany({ where: { caller: sessionCaller(userId) } });
  // Sessions and sign-ins elsewhere go with it.
  await tx.user.deleteMany({ where: { id: userId } });
  await pauseWebhooksOf(tx, { userId, now, because: "formerAdmin" });
  await enqueue(tx, { now, events });
  return { profiles, revokedKeys };
}

/** Returns what the gateway's log says about an erased account. */
export function afterErasing({ profiles, revokedKeys }: ErasedAccount, before: Erased[]) {
  const revoked = revokedKeys === 0 ? {} : { revokedKeys };
  return { profiles: [...before, ...profiles].map(({ did }) => tombstoneOf(did)), ...revoked };
}
