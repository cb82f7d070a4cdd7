import { request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import type { TLSSocket } from "node:tls";
import type { Env } from "@/lib/engine/env";
import { createMailer } from "@/lib/engine/outbound/mailer";
import { fetchPublicJson } from "@/lib/engine/outbound/public-fetch";
import { newId } from "@/lib/engine/random";
import { type Check, note, ok, problem } from "./check";

// What lies between the gateway and others: its address, its proxy, its mail server, and the documents of clients.

const daysMin = 14;
const skewMsMax = 5_000;
const dayMs = 24 * 60 * 60_000;

/** `ca` is trusted besides the system's certificates, in tests. */
export function checkAddress(address: string, now: Date, ca?: string): Check {
  return {
    name: address,
    async run() {
      const { status, text, date, validTo } = await get(new URL("/api/health", address), ca);
      if (status !== 200 || !text.includes('"status":"ok"')) {
        return problem(
          `It answers ${status}, not as this gateway: start it, or lead the proxy to it.`,
        );
      }
      const days =
        validTo === undefined
          ? undefined
          : Math.floor((Date.parse(validTo) - now.getTime()) / dayMs);
      const valid = days === undefined ? "" : ` Its certificate is valid for ${days} more days`;
      if (days !== undefined && days < daysMin) return problem(`${valid.trim()}: renew it.`);
      const skewMs = date === undefined ? 0 : Math.abs(Date.parse(date) - now.getTime());
      if (skewMs > skewMsMax) {
        const seconds = Math.round(skewMs / 1_000);
        return problem(
          `Its clock differs by ${seconds} s from this one: set both by a time server.`,
        );
      }
      return ok(`It answers.${valid && `${valid}.`}`);
    },
  };
}

interface Answer {
  status: number;
  text: string;
  date: string | undefined;
  validTo: string | undefined;
}

function get(url: URL, ca: string | undefined): Promise<Answer> {
  const request = url.protocol === "https:" ? overHttps : overHttp;
  return new Promise((resolve, reject) => {
    const options = { agent: false, ca, signal: AbortSignal.timeout(4_000) };
    const sent = request(url, options, (response) => {
      const { statusCode: status = 0, headers, socket } = response;
      const isTls = url.protocol === "https:";
      const validTo = isTls ? (socket as TLSSocket).getPeerCertificate().valid_to : undefined;
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text = (text + chunk).slice(0, 1_000);
      });
      response.on("end", () => resolve({ status, text, date: headers.date, validTo }));
      response.on("error", reject);
    });
    sent.on("error", ({ message }) => {
      reject(
        new Error(`It is not reached (${message}): start the gateway, or mend name or proxy.`),
      );
    });
    sent.end();
  });
}

/** The gateway itself speaks no TLS: in front of an https address there is a proxy. */
export function checkProxy({ PUBLIC_URL, TRUST_PROXY_HOPS: hops, HOST }: Env): Check {
  return {
    name: "Proxy",
    async run() {
      const isBehind = PUBLIC_URL.some((address) => address.startsWith("https:"));
      if (isBehind && hops === 0) {
        return problem("All clients count as one: set TRUST_PROXY_HOPS to the number of proxies.");
      }
      if (hops === 0) return note("None is trusted.");
      const isOpen = !/^(127\.|::1$|localhost$)/.test(HOST);
      const text = `${hops} in front ${hops === 1 ? "is" : "are"} believed who a client is.`;
      return isOpen ? note(`${text} Let nobody else reach ${HOST}: they could pretend.`) : ok(text);
    },
  };
}

/** Signs in at the mail server, and sends a mail to that address. */
export function checkMail(env: Env, to: string | undefined): Check {
  return {
    name: "Mail",
    msMax: to === undefined ? 5_000 : 30_000,
    async run() {
      const { SMTP_URL: url, MAIL_FROM: from } = env;
      if (url === undefined || from === undefined) return note("None goes out: no SMTP_URL.");
      const mailer = createMailer({ url, from, now: () => new Date() });
      try {
        await mailer.verify().catch(({ message }: Error) => {
          throw new Error(
            `The server is not reached, or refuses the gateway (${message}): check SMTP_URL.`,
          );
        });
        if (to === undefined)
          return env.PUBLIC_URL.length === 0
            ? note("The server lets the gateway in. Links lead to this machine: set PUBLIC_URL.")
            : ok("The server lets the gateway in. npm run doctor -- --mail ADDRESS sends a mail.");
        const text = `A test by ${env.PUBLIC_URL[0] ?? "the gateway"}: mails arrive here.`;
        const [subject, html] = ["A test of the gateway's mails", `<p>${text}</p>`];
        await mailer.send({ id: newId("msg"), to, subject, text, html });
        return ok(`The server has a mail to ${to}: look whether it arrives.`);
      } finally {
        mailer.close();
      }
    },
  };
}

/** What a program needs that comes in by the address of its own description, as many assistants do. */
export function checkClient({ CLIENT_DOCUMENTS }: Env, address: string | undefined): Check {
  return {
    name: "Programs",
    async run() {
      if (CLIENT_DOCUMENTS === "off")
        return note("Those with an address of their own are refused.");
      if (address === undefined)
        return note("--client ADDRESS tries the address by which a program names itself.");
      const { text } = await fetchPublicJson(address, { bytesMax: documentBytesMax, msMax: 4_000 });
      return ok(`${address} answers, ${text.length} characters.`);
    },
  };
}

const documentBytesMax = 64 * 1_024;
