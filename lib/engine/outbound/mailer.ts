import nodemailer, { type SentMessageInfo, type Transporter } from "nodemailer";
import type SMTPPool from "nodemailer/lib/smtp-pool";
import { z } from "zod";

// Sends mails through the operator's server: over TLS, unless that is on this machine and has none, to one recipient
// each, in time.

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** A mail that arrives twice under one id is shown once. */
  id: string;
  /** Where one click ends this kind of mail. */
  stopUrl?: string;
}

/** Why a mail did not go out, in the words of the server or the network. */
export class MailRefused extends Error {
  override readonly name = "MailRefused";
  constructor(
    message: string,
    /** The server will not take this mail at any time. */
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}

export interface Mailer {
  /** Throws MailRefused. */
  send(mail: Mail): Promise<void>;
  /** Why nothing is sent for a few minutes: the server refuses this gateway, not one mail. */
  pausedBy(now: Date): string | null;
  /** Connects and signs in, without sending. */
  verify(): Promise<void>;
  close(): void;
}

interface MailerSettings {
  url: string;
  from: string;
  now: () => Date;
  /** Certificates to trust besides the system's, and other bounds: for tests. */
  ca?: string;
  msMax?: number;
}

const pauseMs = 5 * 60_000;
// A relay that refuses the gateway answers as for an unknown address.
const refusedInRowMax = 5;

export function createMailer({ url, from, now, ca, msMax = 60_000 }: MailerSettings): Mailer {
  let transport: Transporter<SentMessageInfo> | undefined;
  let paused: { until: number; why: string } | undefined;
  let refused = new Set<string>();
  const open = () => {
    transport ??= nodemailer.createTransport(settingsOf(url, { ca, msMax }));
    return transport;
  };
  const close = () => {
    transport?.close();
    transport = undefined;
  };
  const pause = (why: string) => {
    paused = { until: now().getTime() + pauseMs, why };
    refused = new Set();
  };
  const host = new URL(url).hostname;
  return {
    async send(mail) {
      requireAddress(mail.to);
      try {
        await inTime(open().sendMail(messageOf(mail, from)), { msMax, onLate: close });
        refused.clear();
      } catch (error) {
        const failure = Failure.parse(error);
        const why = `${host}: ${failure.message}`.slice(0, 1_000);
        if (failure.code === "EAUTH") pause(why);
        const isFinal = (failure.responseCode ?? 0) >= 500 && failure.code !== "EAUTH";
        if (isFinal && refused.add(mail.to).size >= refusedInRowMax) pause(why);
        throw new MailRefused(why, isFinal);
      }
    },
    pausedBy: (at) => (paused !== undefined && at.getTime() < paused.until ? paused.why : null),
    async verify() {
      await inTime(open().verify(), { msMax, onLate: close });
    },
    close,
  };
}

const Failure = z.object({
  message: z.string(),
  code: z.string().optional(),
  responseCode: z.number().optional(),
});

function settingsOf(url: string, { ca, msMax }: { ca?: string; msMax: number }): SMTPPool.Options {
  const { protocol, hostname } = new URL(url);
  const isHere = isLoopback(hostname);
  return {
    url,
    pool: true,
    maxConnections: 2,
    maxMessages: 50,
    requireTLS: !isHere,
    opportunisticTLS: isHere,
    connectionTimeout: Math.min(10_000, msMax),
    greetingTimeout: Math.min(10_000, msMax),
    socketTimeout: Math.min(20_000, msMax),
    dnsTimeout: 5_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    // A relay on this machine has a self-signed certificate, and may take a password only after STARTTLS.
    tls: { ca, rejectUnauthorized: !(isHere && protocol === "smtp:") },
  };
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);
}

function messageOf({ to, subject, text, html, id, stopUrl }: Mail, from: string) {
  const stop = {
    "List-Unsubscribe": `<${stopUrl}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
  return {
    from: { name: "Profile Access Gateway", address: from },
    // As text it would be parsed, and a comma would begin another recipient.
    to: { name: "", address: to },
    envelope: { from, to: [to] },
    subject: subject.replace(/\p{Cc}+/gu, " "),
    text,
    html,
    messageId: `<${id}@${from.slice(from.indexOf("@") + 1)}>`,
    headers: { "Auto-Submitted": "auto-generated", ...(stopUrl === undefined ? {} : stop) },
  };
}

function requireAddress(address: string): void {
  const isOne = /^[^\s@<>,;:"()[\]\\\p{Cc}]+@[^\s@<>,;:"()[\]\\\p{Cc}]+$/u.test(address);
  if (!isOne || address.length > 254) {
    throw new MailRefused("This is no address that a mail can be sent to.", true);
  }
}

// A server that sends a line now and then is never idle, so that its time-outs never come.
async function inTime<T>(
  work: Promise<T>,
  { msMax, onLate }: { msMax: number; onLate: () => void },
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      onLate();
      reject(new Error(`no answer within ${msMax / 1_000} s`));
    }, msMax);
  });
  // What comes after the deadline has no reader.
  work.catch(() => undefined);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
