import { expect } from "playwright/test";
import type { Mail } from "./server";

/** The mail of this subject to an address, once it has come. */
export async function mailTo(to: string, subject: string | RegExp): Promise<Mail> {
  let found: Mail | undefined;
  await expect(async () => {
    const url = `${process.env.MAILS_URL}/?to=${encodeURIComponent(to)}`;
    const mails: Mail[] = await (await fetch(url)).json();
    found = mails.findLast((mail) => new RegExp(subject).test(mail.subject));
    expect(found, `a mail to ${to} about ${subject}`).toBeDefined();
  }).toPass({ timeout: 15_000 });
  return found as Mail;
}

/** The one link that a mail is about. */
export function linkIn({ text }: Mail): string {
  const link = /^https?:\/\/\S+$/m.exec(text)?.[0];
  if (link === undefined) throw new Error(`no link in ${text}`);
  return link;
}
