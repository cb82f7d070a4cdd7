import type { AddressInfo } from "node:net";
import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll } from "vitest";
import { createMailer } from "@/lib/engine/outbound/mailer";
import { strangersCertificate, strangersKey } from "./stranger";

export interface ReceivedMail {
  to: string[];
  raw: string;
  mail: ParsedMail;
}

export interface MailServer {
  port: number;
  received: ReceivedMail[];
  /** How many recipients were named to it, accepted or not. */
  attempts(): number;
}

type Hooks = "onAuth" | "onConnect" | "onMailFrom";
type Behaviour = Pick<
  SMTPServerOptions,
  "secure" | "allowInsecureAuth" | "authOptional" | Hooks
> & {
  /** Refuses a recipient, or the mail after its data, by the code of an answer. */
  refuse?: (address: string) => { code: number; after?: "data" } | undefined;
};

/** A real mail server on loopback, over TLS from the first byte unless it is not `secure`. Await it at the top of the file. */
export async function startMailServer(behaviour: Behaviour = {}): Promise<MailServer> {
  const { refuse = () => undefined, ...hooks } = behaviour;
  const received: ReceivedMail[] = [];
  let attempts = 0;
  const failure = (code: number) => Object.assign(new Error("not now"), { responseCode: code });
  const server = new SMTPServer({
    secure: true,
    key: strangersKey,
    cert: strangersCertificate,
    authOptional: true,
    onAuth: ({ username, password }, _session, done) =>
      password === "secret" ? done(null, { user: username }) : done(new Error("wrong password")),
    onRcptTo({ address }, _session, done) {
      attempts++;
      const refusal = refuse(address);
      done(refusal && refusal.after === undefined ? failure(refusal.code) : null);
    },
    onData(stream, { envelope }, done) {
      const to = envelope.rcptTo.map(({ address }) => address);
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const refusal = refuse(to[0] ?? "");
        if (refusal?.after === "data") return done(failure(refusal.code));
        const raw = Buffer.concat(chunks);
        received.push({ to, raw: raw.toString(), mail: await simpleParser(raw) });
        done();
      });
    },
    ...hooks,
  });
  // A client that hangs up early is a test's doing.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { port, received, attempts: () => attempts };
}

/** A mailer to that server. */
export function mailerTo(
  { port }: Pick<MailServer, "port">,
  { user = "", now = () => new Date(), msMax = 2_000 } = {},
) {
  const mailer = createMailer({
    url: `smtps://${user}localhost:${port}`,
    ...{ from: "gateway@gateway.test", ca: strangersCertificate, now, msMax },
  });
  afterAll(() => mailer.close());
  return mailer;
}
