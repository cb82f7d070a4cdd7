import type { Tx } from "@/lib/engine/db";
import { createSecretToken } from "../accounts/secret-token";
import { mailAddress } from "./enqueue";

// The link has an hour from when it is mailed.
const waitMs = 24 * 60 * 60_000;

/**
 * Enqueues a link that confirms an address as the user's, in the place of one before. Returns false, and changes
 * nothing, if the address got enough of them.
 */
export async function mailAddressLink(
  tx: Tx,
  { userId, email, now }: { userId: string; email: string; now: Date },
): Promise<boolean> {
  if (!(await mailAddress(tx, { kind: "address", now, address: email, userId }))) return false;
  const { tokenHash } = createSecretToken();
  const link = { tokenHash, email, expiresAt: new Date(now.getTime() + waitMs), createdAt: now };
  const data = { ...link, purpose: "address", usedAt: null, createdBy: userId } as const;
  await tx.oneTimeLink.upsert({
    where: { userId },
    create: { ...data, userId },
    update: data,
    select: { purpose: true },
  });
  return true;
}
