import { inTransaction, type Tx } from "@/lib/engine/db";
import type { Role } from "@/lib/engine/prisma-client/enums";
import { type Did, parseDid } from "@/lib/protocol/did";
import { notFound, notNow } from "@/lib/protocol/errors";
import {
  type RevokedCredentials,
  type RevokeInput,
  revokeCredentials,
} from "../access/revoke-credentials";
import { revokeKeysOfAgents } from "../agents/agents-of";
import { record, recordAdmin } from "../audit/record";
import type { Ctx } from "../context";
import { warnUser } from "../mail/enqueue";
import { switchOffOwnRules } from "../policies/own-rules";
import { lockProfile } from "../profile-gate";
import { endDelegations } from "../proposals/rules/end-delegations";
import { takeBackAcceptances } from "../transfers/answer";
import { notifyAgents } from "../webhooks/notify-agents";
import { pauseWebhooksOf } from "../webhooks/pause";
import { unlinkAll } from "./identities";
import { holdingsOf, nameOf } from "./reset-holdings";
import { hashSecretToken } from "./secret-token";

/** Returns words that the user's new password must not contain. */
export async function ownWordsOf(
  { db }: Ctx,
  email: string,
): Promise<{ email: string; name: string | null; handles: string[] }> {
  const user = await db.user.findUnique({
    where: { email },
    select: { name: true, profiles: { select: { did: true }, take: 100 } },
  });
  const handles = (user?.profiles ?? []).map(({ did }) => parseDid(did)?.name ?? did);
  return { email, name: user?.name ?? null, handles };
}

export interface Reset {
  token: string;
  passwordHash: string;
  /** Their keys, tokens and rules (except Balanced) end as well, unless the user keeps those that were shown. */
  keep: string | null;
}

/**
 * Sets a new password for the holder of the link; only one of several uses at once does. Every session and
 * open link ends and every provider is unlinked, as one of them may be why the link was needed.
 */
export async function resetPassword(ctx: Ctx, { token, passwordHash, keep }: Reset): Promise<void> {
  const { db, now, shares } = ctx;
  const reset = async (tx: Tx) => {
    const { id: userId, email, role } = await useUp(tx, { token, now });
    // Its user is to see that the link was used, even if they dismissed the notice before.
    await tx.user.updateMany({
      where: { id: userId },
      data: { passwordHash, resetLinkMadeAt: now },
    });
    const { count: ended } = await tx.session.deleteMany({ where: { userId } });
    await tx.oneTimeLink.deleteMany({
      where: { usedAt: null, OR: [{ createdBy: userId }, { purpose: "password_reset", email }] },
    });
    const unlinked = await unlinkAll(tx, userId);
    const own = { ...ctx, caller: { kind: "person", userId, role, sessionId: null } as const };
    const verb = "resetPassword";
    const keys = keep === null ? await revokeKeysOfAgents(tx, { userId, now }) : 0;
    const total = { ended, unlinked, keys, tokens: 0, policies: 0, webhooks: 0 };
    const gone = { tokens: [] as string[], policies: [] as string[] };
    const profiles = await lockProfiles(tx, userId);
    if (keep !== null) await refuseUnseen(tx, { userId, now, keep });
    await takeBackAcceptances(tx, { userId, now });
    for (const profile of profiles) {
      const revoked = keep === null ? await revokeAll(tx, { profile, now }) : nothing;
      total.keys += revoked.keys.length;
      total.tokens += revoked.tokens.length;
      total.policies += revoked.policies.length;
      gone.tokens.push(...revoked.tokens);
      gone.policies.push(...revoked.policies);
      // The page shows none, so none is kept.
      const delegations = await endDelegations(tx, { profileId: profile.id, now });
      const event = { verb, detail: { unlinked, revoked, delegations } };
      await record(tx, { ctx: own, profile, event });
    }
    total.webhooks = await pauseWebhooksOf(tx, { userId, now, because: "password" });
    await recordAdmin(tx, { ctx: own, event: { verb, subjectId: userId, after: total } });
    await warnUser(tx, { now, userId, event: "password_reset" });
    await notifyAgents(tx, now, gone);
    return profiles;
  };
  const changed = await shares.run(token, () => inTransaction(db, reset));
  for (const { id } of changed) ctx.announce(id);
}

// Refuses if something was added while the holder of the link read the page.
async function refuseUnseen(
  tx: Tx,
  { userId, now, keep }: { userId: string; now: Date; keep: string },
): Promise<void> {
  const holdings = await holdingsOf(tx, { userId, now });
  if (!holdings.isCut && keep === nameOf(holdings)) return;
  throw notNow(
    "What works without a password has changed since this page was opened. Nothing was changed. Reload the page, look at the list again, and then choose your password.",
  );
}

// Locks the account before its link, agents and profiles. A sign-in waits for it, and then finds the old
// password changed.
async function useUp(tx: Tx, { token, now }: { token: string; now: Date }) {
  const tokenHash = hashSecretToken(token);
  const rows = await tx.$queryRaw<
    { id: string; email: string; role: Role }[]
  >`SELECT u.id, u.email, u.role FROM "OneTimeLink" l JOIN "User" u ON u.email = l.email
     WHERE l."tokenHash" = ${tokenHash} FOR UPDATE OF u`;
  const [user] = rows;
  const { count } = await tx.oneTimeLink.updateMany({
    where: { tokenHash, purpose: "password_reset", usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (user === undefined || count === 0) throw notFound("link");
  return user;
}

interface OwnProfile {
  id: number;
  did: Did;
  ownerId: string;
  state: "active" | "suspended";
}

// The account is locked, so no profile is added or transferred to it; one that has just left is skipped.
async function lockProfiles(tx: Tx, userId: string): Promise<OwnProfile[]> {
  const owned = () => tx.$queryRaw<OwnProfile[]>`
    SELECT id, did, "ownerId", state FROM "Profile" WHERE "ownerId" = ${userId} ORDER BY id`;
  for (const { id } of await owned()) await lockProfile(tx, id);
  return owned();
}

interface Revoked extends RevokedCredentials {
  policies: string[];
}

const nothing: Revoked = { keys: [], tokens: [], policies: [] };

// The tokens first: their grants end with them, and are no rules of the owner's own.
async function revokeAll(tx: Tx, input: RevokeInput): Promise<Revoked> {
  const credentials = await revokeCredentials(tx, input);
  const { profile, now } = input;
  const policies = await switchOffOwnRules(tx, { profileId: profile.id, now });
  return { ...credentials, policies };
}
