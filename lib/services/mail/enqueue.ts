import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";
import { wakeSenders } from "../webhooks/enqueue";

// A mail is a row, written in the transaction of what it reports. What it says is read when it is sent.

/** What a mail is about, and the ids that it is written from. */
export type MailBody =
  | { kind: "access_request"; profileId: number; requestId: string }
  | { kind: "new_agent"; profileId: number; agentDid: string }
  | { kind: "digest" }
  | { kind: "security"; event: SecurityEvent; agentDid?: string }
  | { kind: "invitation"; userId: string }
  | { kind: "reset" }
  | { kind: "address"; userId: string }
  | { kind: "webhook_paused"; agentDid: string };

export type SecurityEvent =
  | "signed_in"
  | "password_changed"
  | "password_reset"
  | "reset_link_made"
  | "address_changed"
  | "address_left"
  | "key_added"
  | "sign_in_linked"
  | "sign_in_unlinked"
  | "client_connected"
  | "role_changed"
  | "transfer_requested";

/** Mails of these kinds to one recipient in an hour, at most: the pages have the rest. */
export const hourlyMax = 5;
const limited: readonly MailBody["kind"][] = [
  "access_request",
  "new_agent",
  "reset",
  "address",
  "webhook_paused",
];

const switches: Partial<Record<MailBody["kind"], Prisma.Sql>> = {
  access_request: Prisma.sql`m.requests`,
  new_agent: Prisma.sql`m.agents`,
  digest: Prisma.sql`m.digest <> 'never'`,
};

type UserMail = { agentDid?: string } & Exclude<
  MailBody,
  { kind: "invitation" | "reset" | "address" }
>;

/** Whether the user has confirmed the address, has such mails on and has not muted the agent. */
export function isWanted(userId: string, mail: MailBody): Prisma.Sql {
  const agentDid = "agentDid" in mail ? (mail.agentDid ?? "") : "";
  return Prisma.sql`EXISTS (SELECT FROM "Mailbox" m WHERE m."userId" = ${userId}
    AND ${switches[mail.kind] ?? Prisma.sql`true`} AND NOT ${agentDid} = ANY (m."mutedAgents"))`;
}

/** Enqueues a mail to a user who wants it, unless there were enough of them. */
export async function mailUser(
  tx: Tx,
  { now, userId, ...body }: { now: Date; userId: string } & UserMail,
): Promise<void> {
  await insert(tx, { now, recipient: userId, body, mayGo: isWanted(userId, body) });
}

/**
 * Enqueues a mail to an address: with a link that works once, or about the account that has left it. Returns whether it
 * did: false if there were enough of them.
 */
export async function mailAddress(
  tx: Tx,
  { now, address, ...body }: { now: Date; address: string } & MailBody,
): Promise<boolean> {
  return insert(tx, { now, recipient: address, body, mayGo: Prisma.sql`true` });
}

interface Enqueuing {
  now: Date;
  recipient: string;
  body: MailBody;
  mayGo: Prisma.Sql;
}

async function insert(tx: Tx, { now, recipient, body, mayGo }: Enqueuing): Promise<boolean> {
  const { kind, ...ids } = body;
  // A link or a warning does not wait behind a thousand digests.
  const sink = kind === "digest" ? "mail" : "mail_now";
  const isLimited = limited.includes(kind);
  const max = isLimited ? hourlyMax : 1_000_000;
  // Those that are enqueued at once count each other.
  if (isLimited) {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`mail ${kind} ${recipient}`}, 0))`;
  }
  const count = await tx.$executeRaw`
    INSERT INTO "Delivery" (id, sink, recipient, kind, body, "madeAt", "dueAt")
    SELECT ${newId("msg")}, ${sink}::"Sink", ${recipient}, ${kind}, ${JSON.stringify(ids)}::jsonb, ${now}::timestamptz, clock_timestamp()
    WHERE ${mayGo} AND (SELECT count(*) FROM (SELECT FROM "Delivery" WHERE recipient = ${recipient}
      AND kind = ${kind} AND "madeAt" > ${now}::timestamptz - interval '1 hour' LIMIT ${max}) AS sent) < ${max}`;
  if (count > 0) await wakeSenders(tx);
  return count > 0;
}

/** Warns a user of what concerns the security of their account. */
export function warnUser(
  tx: Tx,
  warning: { now: Date; userId: string; event: SecurityEvent },
): Promise<void> {
  return mailUser(tx, { kind: "security", ...warning });
}
