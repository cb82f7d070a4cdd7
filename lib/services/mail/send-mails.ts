import type { Db } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import { MailRefused } from "@/lib/engine/outbound/mailer";
import type { Delivery, Sink } from "@/lib/engine/prisma-client/client";
import { setLetter } from "./letter";
import { writeMail } from "./write-mail";

type Claimed = Pick<Delivery, "seq" | "id" | "recipient" | "kind" | "body" | "attempts"> & {
  lease: string;
  madeAt: Date;
};

const claimedMax = 10;
const attemptsMax = 9;
const ageMsMax = 3 * 24 * 60 * 60_000;
const tooOld = "waited for more than three days";

/**
 * Sends the mails of a lane that are due, and returns how many. Claimed, committed, sent, then marked: a process that
 * is killed in between leaves a claim that ends by itself, and the mail goes out again.
 */
export async function sendMails(engine: Engine, sink: Extract<Sink, "mail" | "mail_now">) {
  const { db, mailer, now } = engine;
  if (mailer === null || mailer.pausedBy(now()) !== null) return 0;
  const claimed = await claim(db, sink);
  await Promise.all(claimed.map((delivery) => send(engine, delivery)));
  return claimed.length;
}

// A claim is longer than the deadline of a mail.
function claim(db: Db, sink: Sink): Promise<Claimed[]> {
  return db.$queryRaw<Claimed[]>`
    UPDATE "Delivery" d SET lease = gen_random_uuid(), attempts = attempts + 1,
      "dueAt" = clock_timestamp() + interval '2 minutes'
    FROM (SELECT seq FROM "Delivery" WHERE state = 'waiting' AND sink <> 'webhook' AND sink = ${sink}::"Sink"
            AND "dueAt" <= clock_timestamp()
          ORDER BY "dueAt", seq LIMIT ${claimedMax} FOR UPDATE SKIP LOCKED) AS due
    WHERE d.seq = due.seq
    RETURNING d.seq, d.id, d.recipient, d.kind, d.body, d.attempts::int, d.lease::text, d."madeAt"`;
}

async function send(engine: Engine, delivery: Claimed): Promise<void> {
  const { db, mailer, log, now } = engine;
  try {
    const age = now().getTime() - delivery.madeAt.getTime();
    if (age > ageMsMax) return await end(db, delivery, "given_up", tooOld);
    const mail = await writeMail(engine, delivery);
    if (mail === null) return await end(db, delivery, "done", "no longer of use");
    const { to, letter, origin, stopPath } = mail;
    const set = setLetter(letter, { origin, stopPath });
    const stopUrl = stopPath && `${origin}/api${stopPath}`;
    await mailer?.send({ id: messageIdOf(delivery), to, stopUrl, ...set });
    await end(db, delivery, "done", null);
  } catch (error) {
    if (!(error instanceof MailRefused)) log.error("a mail failed", { error });
    const answer = error instanceof MailRefused ? error.message : "failed here: see the log";
    const isFinal = error instanceof MailRefused && error.isFinal;
    const isPaused = mailer?.pausedBy(now()) != null;
    if (isPaused) await putBack(db, delivery, answer);
    else if (isFinal || delivery.attempts >= attemptsMax)
      await end(db, delivery, "given_up", answer);
    else await retry(db, delivery, answer);
  }
}

const withLink = ["invitation", "reset", "address"];

// A mail program shows one of two mails under one id. Each attempt makes another link, and the former may have ended.
function messageIdOf({ id, kind, lease }: Claimed): string {
  return withLink.includes(kind) ? `${id}.${lease}` : id;
}

async function end(
  db: Db,
  { seq, lease }: Claimed,
  state: "done" | "given_up",
  answer: string | null,
): Promise<void> {
  await db.$executeRaw`UPDATE "Delivery" SET state = ${state}::"DeliveryState", answer = ${answer}::text,
    lease = NULL, "endedAt" = clock_timestamp() WHERE seq = ${seq} AND lease = ${lease}::uuid`;
}

async function retry(db: Db, { seq, lease, attempts }: Claimed, answer: string): Promise<void> {
  await db.$executeRaw`UPDATE "Delivery" SET lease = NULL, answer = ${answer},
    "dueAt" = clock_timestamp() + make_interval(secs => ${retrySeconds(attempts)}) WHERE seq = ${seq} AND lease = ${lease}::uuid`;
}

// The server refuses the gateway: no mail's attempt.
async function putBack(db: Db, { seq, lease }: Claimed, answer: string): Promise<void> {
  await db.$executeRaw`UPDATE "Delivery" SET lease = NULL, answer = ${answer}, attempts = attempts - 1,
    "dueAt" = clock_timestamp() WHERE seq = ${seq} AND lease = ${lease}::uuid`;
}

// 5 s, 20 s, 80 s … a day at most, spread so that those that failed together do not come together.
function retrySeconds(attempts: number): number {
  return Math.min(86_400, 5 * 4 ** (attempts - 1)) * (0.75 + Math.random() / 2);
}
