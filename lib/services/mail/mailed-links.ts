import type { Db } from "@/lib/engine/db";
import { createSecretToken } from "../accounts/secret-token";

// A link is made when its mail is written, so that no queue and no backup has it. One that was mailed before may have
// arrived: it works beside the new one where there can be two.

const linkMs = 60 * 60_000;

/** Gives an invitation that still counts another token; null where it does not. */
export async function renewInvitation(
  db: Db,
  { userId, now }: { userId: string; now: Date },
): Promise<string | null> {
  const { token, tokenHash } = createSecretToken();
  const { count } = await db.oneTimeLink.updateMany({
    where: { userId, purpose: "invitation", usedAt: null, expiresAt: { gt: now } },
    data: { tokenHash },
  });
  return count === 0 ? null : token;
}

/** Makes a link for the password of the account with this address; null where there is none to be helped. */
export async function renewResetLink(
  db: Db,
  { email, now }: { email: string; now: Date },
): Promise<string | null> {
  const user = await db.user.findUnique({
    where: { email, state: "active" },
    select: { role: true },
  });
  if (user === null) return null;
  const { token, tokenHash } = createSecretToken();
  const expiresAt = new Date(now.getTime() + linkMs);
  const link = { tokenHash, purpose: "password_reset" as const, email, createdAt: now, expiresAt };
  await db.oneTimeLink.create({ data: { ...link, role: user.role }, select: { purpose: true } });
  return token;
}

/** Gives the confirmation of an address another token and hour; null where the user wants another address by now. */
export async function renewAddressLink(
  db: Db,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<string | null> {
  const { token, tokenHash } = createSecretToken();
  const { count } = await db.oneTimeLink.updateMany({
    where: { userId, email, purpose: "address", usedAt: null },
    data: { tokenHash, expiresAt: new Date(now.getTime() + linkMs) },
  });
  return count === 0 ? null : token;
}
