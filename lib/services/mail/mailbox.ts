import { randomBytes } from "node:crypto";
import { inTransaction, type Tx } from "@/lib/engine/db";
import type { DigestEvery } from "@/lib/engine/prisma-client/enums";
import { forbidden, invalidRequest, notFound, notNow } from "@/lib/protocol/errors";
import { refusingTaken } from "../accounts/new-profile";
import { hashSecretToken } from "../accounts/secret-token";
import { recordAdmin } from "../audit/record";
import { withAuthority } from "../authority";
import type { Ctx } from "../context";
import { mailAddressLink } from "./address-link";
import { nextDigestAt } from "./digest-time";
import { hourlyMax, mailAddress, warnUser } from "./enqueue";

export interface MailChoices {
  /** A mail for each request for access. */
  requests: boolean;
  /** A mail for each agent that comes for the first time. */
  agents: boolean;
  digest: DigestEvery;
  hour: number;
  weekday: number;
  timeZone: string;
  /** Whether the texts of proposals are in the digest. */
  contents: boolean;
}

export interface MailboxShown extends MailChoices {
  mutedAgents: string[];
}

/** Returns what is mailed to the caller; null while they have not confirmed their address. */
export async function readMailbox({ db, caller }: Ctx): Promise<MailboxShown | null> {
  if (caller.kind !== "person") throw forbidden();
  return db.mailbox.findUnique({
    where: { userId: caller.userId },
    omit: { stopKey: true, userId: true, confirmedAt: true, digestDueAt: true },
  });
}

/** Returns the address that the caller was sent a link to and has not confirmed yet. */
export async function findUnconfirmed({ db, caller, now }: Ctx): Promise<string | null> {
  if (caller.kind !== "person") throw forbidden();
  const where = { userId: caller.userId, purpose: "address", usedAt: null } as const;
  const link = await db.oneTimeLink.findUnique({ where: { ...where, expiresAt: { gt: now } } });
  return link?.email ?? null;
}

export async function changeMailbox(ctx: Ctx, choices: MailChoices): Promise<void> {
  const { digest, hour, weekday, timeZone } = choices;
  const digestDueAt =
    digest === "never" ? null : nextDigestAt({ every: digest, hour, weekday, timeZone }, ctx.now);
  await changeOwn(ctx, (tx, userId) =>
    tx.mailbox.updateMany({ where: { userId }, data: { ...choices, digestDueAt } }),
  );
}

const mutedMax = 100;

/** Ends, or begins again, the mails about what one agent does. */
export async function muteAgent(
  ctx: Ctx,
  { agentDid, muted }: { agentDid: string; muted: boolean },
): Promise<void> {
  await changeOwn(ctx, async (tx, userId) => {
    const box = await tx.mailbox.findUnique({ where: { userId }, select: { mutedAgents: true } });
    const others = (box?.mutedAgents ?? []).filter((did) => did !== agentDid);
    if (muted && others.length >= mutedMax) {
      const message = `At most ${mutedMax} agents can be muted. End the mails of this kind instead.`;
      throw invalidRequest([{ path: "form", message }]);
    }
    const mutedAgents = muted ? [...others, agentDid] : others;
    return tx.mailbox.updateMany({ where: { userId }, data: { mutedAgents } });
  });
}

async function changeOwn(
  ctx: Ctx,
  work: (tx: Tx, userId: string) => Promise<{ count: number }>,
): Promise<void> {
  const { caller } = ctx;
  if (caller.kind !== "person") throw forbidden();
  await withAuthority(ctx, {}, async (tx) => {
    const { count } = await work(tx, caller.userId);
    if (count === 0) throw notFound("confirmed address");
  });
}

/**
 * Mails a link that confirms this address as the caller's. Of an address that another account has, no more is said:
 * the person who reads its mail finds out.
 */
export async function requestAddress(ctx: Ctx, { email }: { email: string }): Promise<void> {
  const { caller, now } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId } = caller;
  await withAuthority(ctx, { users: [userId] }, async (tx) => {
    if (await mailAddressLink(tx, { userId, email, now })) return;
    const message = `This address was sent ${hourlyMax} links within an hour. Nothing was changed: open the newest link of yours, or try again in an hour.`;
    throw notNow(message);
  });
}

/** Makes the address of the link the caller's, once. Both the former and the new one get a mail about it. */
export async function confirmAddress(
  ctx: Ctx,
  { token, timeZone }: { token: string; timeZone: string },
): Promise<void> {
  const { caller, now } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId } = caller;
  const confirm = async (tx: Tx) => {
    const [link] = await tx.oneTimeLink.updateManyAndReturn({
      where: {
        ...{ tokenHash: hashSecretToken(token), purpose: "address", userId, usedAt: null },
        expiresAt: { gt: now },
      },
      data: { usedAt: now },
      select: { email: true },
    });
    if (link?.email == null) throw notFound("link");
    const { email } = link;
    const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
    await openMailbox(tx, { userId, now, timeZone });
    if (user.email !== email) {
      await tx.user.update({ where: { id: userId }, data: { email }, select: { id: true } });
      await tx.oneTimeLink.deleteMany({ where: { purpose: "password_reset", email: user.email } });
      const event = "address_left";
      await mailAddress(tx, { kind: "security", event, now, address: user.email });
      await warnUser(tx, { now, userId, event: "address_changed" });
      await recordAdmin(tx, { ctx, event: { verb: "changeAddress", subjectId: userId } });
    }
  };
  return refusingTaken(() => withAuthority(ctx, { users: [userId] }, confirm));
}

async function openMailbox(
  tx: Tx,
  { userId, now, timeZone }: { userId: string; now: Date; timeZone: string },
): Promise<void> {
  const digestDueAt = nextDigestAt({ every: "day", hour: 8, weekday: 1, timeZone }, now);
  const data = { userId, timeZone, digestDueAt, stopKey: randomBytes(16), confirmedAt: now };
  await tx.mailbox.createMany({ data, skipDuplicates: true });
}

/**
 * For a person who forgot the password. The mail is enqueued for any address, with the same work: whether an account
 * has it is looked up when the mail is written.
 */
export async function requestReset({ db, now }: Ctx, { email }: { email: string }): Promise<void> {
  await inTransaction(db, (tx) => mailAddress(tx, { kind: "reset", now, address: email }));
}
