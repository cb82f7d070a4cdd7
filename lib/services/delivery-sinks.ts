import type { Engine } from "@/lib/engine/engine";
import { sendMails } from "./mail/send-mails";

/** Where messages go; server/deliveries runs each of them in a loop. */
export const deliverySinks: readonly ((engine: Engine) => Promise<number>)[] = [
  (engine) => sendMails(engine, "mail_now"),
  (engine) => sendMails(engine, "mail"),
];
