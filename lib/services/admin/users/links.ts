import type { Tx } from "@/lib/engine/db";
import type { LinkPurpose, Role, UserState } from "@/lib/engine/prisma-client/enums";
import { newId } from "@/lib/engine/random";
import { invalidRequest, notFound, notNow } from "@/lib/protocol/errors";
import { createSecretToken } from "../../accounts/secret-token";
import { recordForOwner } from "../../audit/record-for-owner";
import type { Ctx } from "../../context";
import { hourlyMax, mailAddress, warnUser } from "../../mail/enqueue";
import { administer, refuseOthers } from "../administer";

const invitationMs = 7 * 24 * 60 * 60_000;
const resetMs = 60 * 60_000;

export interface IssuedLink {
  /** Shown this once; the database has only its hash. */
  token: string;
  expiresAt: Date;
}

type Invited = Pick<Invitation, "email" | "role">;

/** Invites an address. A new invitation ends the former one. */
export function inviteUser(ctx: Ctx, invited: Invited): Promise<IssuedLink> {
  return invite(ctx, invited, async (_tx, { link }) => link);
}

/** The same by mail: no admin sees the link. */
export function mailInvitation(ctx: Ctx, invited: Invited): Promise<void> {
  return invite(ctx, invited, async (tx, { userId }) => {
    await mailAddress(tx, { kind: "invitation", now: ctx.now, address: invited.email, userId });
  });
}

async function invite<T>(
  ctx: Ctx,
  { email, role }: Invited,
  deliver: (tx: Tx, invitation: { userId: string; link: IssuedLink }) => Promise<T>,
): Promise<T> {
  const purpose = "invitation";
  // There is no account to lock yet.
  return administer(ctx, { admins: true }, async ({ tx, record }) => {
    if ((await tx.user.count({ where: { email } })) > 0) {
      throw invalidRequest([
        { path: "email", message: "Somebody has an account with it already." },
      ]);
    }
    // A repeated invitation keeps the id.
    const userId = (await endUnused(tx, { purpose, email })) ?? newId("usr");
    const link = await issue(tx, { ctx, purpose, email, role, userId, lifeMs: invitationMs });
    await record({ verb: "inviteUser", subjectId: userId, after: { role } });
    return deliver(tx, { userId, link });
  });
}

export interface Invitation {
  email: string;
  role: Role;
  expiresAt: Date;
}

const invitationsMax = 50;

/** Lists the invitations that can be accepted, the newest first. */
export async function listInvitations(ctx: Ctx): Promise<Invitation[]> {
  refuseOthers(ctx);
  const links = await ctx.db.oneTimeLink.findMany({
    where: { purpose: "invitation", usedAt: null, expiresAt: { gt: ctx.now } },
    select: { email: true, role: true, expiresAt: true },
    orderBy: { createdAt: "desc" },
    take: invitationsMax,
  });
  return links.flatMap(({ email, ...link }) => (email === null ? [] : [{ ...link, email }]));
}

/** For a user who forgot the password. The old one works until the link is used; they see that it was created. */
export function issueResetLink(ctx: Ctx, userId: string): Promise<IssuedLink> {
  return makeResetLink(ctx, userId, async (tx, { email, role }) => {
    await warnUser(tx, { now: ctx.now, userId, event: "reset_link_made" });
    return issue(tx, { ctx, purpose: "password_reset", email, role, lifeMs: resetMs });
  });
}

/** The same by mail: no admin sees the link. */
export function mailResetLink(ctx: Ctx, userId: string): Promise<void> {
  return makeResetLink(ctx, userId, async (tx, { email, state }) => {
    if (state === "suspended") {
      throw notNow("This user is suspended. Resume the user first; nothing was changed.");
    }
    if (await mailAddress(tx, { kind: "reset", now: ctx.now, address: email })) return;
    const message = `This user was sent ${hourlyMax} reset links within an hour. Nothing was changed: they can use the newest, or npm run admin -- reset-link makes one to hand over.`;
    throw notNow(message);
  });
}

async function makeResetLink<T>(
  ctx: Ctx,
  userId: string,
  deliver: (tx: Tx, user: { email: string; role: Role; state: UserState }) => Promise<T>,
): Promise<T> {
  return administer(ctx, { users: [userId] }, async ({ tx, record }) => {
    const [user] = await tx.user.updateManyAndReturn({
      where: { id: userId },
      data: { resetLinkMadeAt: ctx.now },
      select: { email: true, role: true, state: true },
    });
    if (user === undefined) throw notFound("user");
    await endUnused(tx, { purpose: "password_reset", email: user.email });
    await record({ verb: "issueResetLink", subjectId: userId });
    await recordForOwner(tx, { ctx, userId, event: { verb: "issueResetLink" } });
    return deliver(tx, user);
  });
}

/** Tells which account the one before would have made. */
async function endUnused(
  tx: Tx,
  { purpose, email }: { purpose: LinkPurpose; email: string },
): Promise<string | null> {
  const unused = { where: { purpose, email, usedAt: null } };
  const link = await tx.oneTimeLink.findFirst({ ...unused, select: { userId: true } });
  await tx.oneTimeLink.deleteMany(unused);
  return link?.userId ?? null;
}

interface Issuing {
  ctx: Ctx;
  purpose: LinkPurpose;
  email: string;
  role: Role;
  /** The id of the account that the link will create. */
  userId?: string;
  lifeMs: number;
}

async function issue(
  tx: Tx,
  { ctx: { now, caller }, purpose, email, role, userId, lifeMs }: Issuing,
): Promise<IssuedLink> {
  const { token, tokenHash } = createSecretToken();
  const expiresAt = new Date(now.getTime() + lifeMs);
  const createdBy = caller.kind === "person" ? caller.userId : null;
  const link = { tokenHash, purpose, email, role, userId, createdBy, createdAt: now, expiresAt };
  await tx.oneTimeLink.create({ data: link, select: { purpose: true } });
  return { token, expiresAt };
}
