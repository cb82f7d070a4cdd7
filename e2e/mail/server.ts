import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";

// A mail server for all gateways of a run, and a page for the tests that shows what came.

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

export async function startMailServer() {
  const mails: Mail[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, { envelope }, done) {
      simpleParser(stream).then(
        (mail) => {
          for (const { address } of envelope.rcptTo) mails.push(kept(address, mail));
          done();
        },
        (error: Error) => done(error),
      );
    },
  });
  const web = createServer((request, response) => {
    const to = new URL(request.url ?? "/", "http://mail").searchParams.get("to");
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(mails.filter((mail) => mail.to === to)));
  });
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const port = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  return {
    smtpUrl: `smtp://127.0.0.1:${port(smtp.server)}`,
    url: `http://127.0.0.1:${port(web)}`,
    async stop() {
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
      web.closeAllConnections();
      await new Promise<void>((resolve) => web.close(() => resolve()));
    },
  };
}

function kept(to: string, { subject = "", text = "", html }: ParsedMail): Mail {
  return { to, subject, text, html: html || "" };
}
