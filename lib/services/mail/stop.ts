import { z } from "zod";
import type { Db } from "@/lib/engine/db";

export const MailSwitch = z.enum(["requests", "agents", "digest"]);
export type MailSwitch = z.output<typeof MailSwitch>;

/** Returns the address that ends a kind of mail: known from a mail, and good for nothing else. */
export function stopPathOf(what: MailSwitch, stopKey: Uint8Array): string {
  return `/mail/stop/${what}/${Buffer.from(stopKey).toString("base64url")}`;
}

const off = {
  requests: { requests: false },
  agents: { agents: false },
  digest: { digest: "never", digestDueAt: null },
} as const;

/** Whether a kind of mail comes to the mailbox of this key; null where there is no such mailbox. */
export async function isMailed(
  db: Db,
  { what, key }: { what: MailSwitch; key: string },
): Promise<boolean | null> {
  const mailbox = await db.mailbox.findUnique({
    where: { stopKey: Buffer.from(key, "base64url") },
    select: { requests: true, agents: true, digest: true },
  });
  if (mailbox === null) return null;
  return what === "digest" ? mailbox.digest !== "never" : mailbox[what];
}

/** Ends a kind of mail for the mailbox of this key. Doing it again changes nothing. */
export async function stopMail(
  db: Db,
  { what, key }: { what: MailSwitch; key: string },
): Promise<boolean> {
  const { count } = await db.mailbox.updateMany({
    where: { stopKey: Buffer.from(key, "base64url") },
    data: off[what],
  });
  return count > 0;
}
