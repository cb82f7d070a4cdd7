import type { Tx } from "@/lib/engine/db";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import { profilesPerUserMax } from "../../accounts/new-profile";
import { profileSubject, record } from "../../audit/record";
import type { Ctx } from "../../context";
import { warnUser } from "../../mail/enqueue";
import { endTransfer } from "../../transfers/complete";
import { type Parties, transferWaitMs } from "../../transfers/transfer";
import { administer, refuseOthers } from "../administer";
import { lockByDid } from "./change-profile";

// An account that is made to be handed a profile is not handed one.
const accountAgeMsMin = 7 * 24 * 60 * 60_000;

/**
 * Asks both owners to transfer a profile. It happens once both accept or, if the present owner does not answer,
 * seven days after the new one has.
 */
export async function transferProfile(
  ctx: Ctx,
  { did, email }: { did: string; email: string },
): Promise<{ effectiveAt: Date }> {
  refuseOthers(ctx);
  const { caller, now } = ctx;
  const parties = await partiesOf(ctx, { did, email });
  const { fromUserId, toUserId } = parties;
  const effectiveAt = new Date(now.getTime() + transferWaitMs);
  const demands = { readsUsers: [fromUserId, toUserId] };
  const profileId = await administer(ctx, demands, async ({ tx, record: recordAdmin }) => {
    const profile = await lockByDid(tx, did);
    if (profile.ownerId !== fromUserId) throw notFound("profile");
    await refuseUnfit(tx, ctx, parties);
    const requestedBy = caller.kind === "person" ? caller.userId : null;
    const data = { profileId: profile.id, ...parties, requestedBy, createdAt: now, effectiveAt };
    const { count } = await tx.transfer.createMany({ data, skipDuplicates: true });
    if (count === 0) throw refusal("A transfer of this profile is waiting. Withdraw it first.");
    const verb = "requestTransfer";
    const before = { ownerId: fromUserId };
    const after = { ownerId: toUserId, effectiveAt: effectiveAt.toISOString() };
    await recordAdmin({ verb, subjectId: profileSubject(profile.id), before, after });
    await record(tx, { ctx, profile, event: { verb } });
    for (const userId of [fromUserId, toUserId]) {
      await warnUser(tx, { now, userId, event: "transfer_requested" });
    }
    return profile.id;
  });
  ctx.announce(profileId);
  return { effectiveAt };
}

/** Ends a transfer that waits. */
export async function withdrawTransfer(ctx: Ctx, did: string): Promise<void> {
  const profileId = await administer(ctx, {}, async ({ tx }) => {
    const profile = await lockByDid(tx, did);
    const waiting = await tx.transfer.count({ where: { profileId: profile.id } });
    if (waiting === 0) throw notFound("transfer");
    await endTransfer(tx, { ctx, transfer: { profile }, verb: "withdrawTransfer" });
    return profile.id;
  });
  ctx.announce(profileId);
}

// Accounts are locked before profiles, so both are looked up first, and again behind the locks.
async function partiesOf(
  { db }: Ctx,
  { did, email }: { did: string; email: string },
): Promise<Parties> {
  const rows = await db.$queryRaw<
    { fromUserId: string; toUserId: string | null }[]
  >`SELECT p."ownerId" AS "fromUserId", u.id AS "toUserId"
     FROM "Profile" p LEFT JOIN "User" u ON u.email = ${email} WHERE p.did = ${did}`;
  const [found] = rows;
  if (found === undefined) throw notFound("profile");
  const { fromUserId, toUserId } = found;
  if (toUserId === null) throw unknownAddress();
  return { fromUserId, toUserId };
}

async function refuseUnfit(
  tx: Tx,
  { caller, now }: Ctx,
  { fromUserId, toUserId }: Parties,
): Promise<void> {
  const rows = await tx.$queryRaw<{ createdAt: Date; owned: number }[]>`SELECT u."createdAt",
       (SELECT count(*)::int FROM "Profile" p WHERE p."ownerId" = u.id) AS owned
     FROM "User" u WHERE u.id = ${toUserId} AND u.state = 'active'`;
  const [to] = rows;
  if (to === undefined) throw unknownAddress();
  if (toUserId === fromUserId) throw refusal("This profile belongs to this account already.");
  // Protocol 4: admins do not read contents, not by this way either.
  if (caller.kind === "person" && caller.userId === toUserId) {
    throw refusal("This is your own account. Another admin has to hand you a profile.");
  }
  if (to.createdAt.getTime() + accountAgeMsMin > now.getTime()) {
    throw refusal(
      "This account is younger than seven days. Transfer the profile when it is older.",
    );
  }
  if (to.owned < profilesPerUserMax) return;
  throw refusal(`This account has ${profilesPerUserMax} profiles, the most that one can have.`);
}

function unknownAddress() {
  return refusal("No active account has this e-mail address.");
}

function refusal(message: string) {
  return invalidRequest([{ path: "email", message }]);
}
