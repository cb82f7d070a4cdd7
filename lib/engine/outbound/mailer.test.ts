import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { mailerTo, startMailServer } from "@/tests/support/connecting/mail-server";
import { createMailer } from "./mailer";

const codes: Record<string, { code: number; after?: "data" }> = {
  "later@example.com": { code: 451 },
  "closing@example.com": { code: 421 },
  "unknown@example.com": { code: 550 },
  "full@example.com": { code: 552, after: "data" },
};
const server = await startMailServer({ refuse: (address) => codes[address] });
const mailer = mailerTo(server);

const to = (address: string) => ({
  ...{ to: address, subject: "Hello", text: "Text.\n", html: "<p>Text.</p>", id: "msg_1" },
});

test("a mail goes out over TLS, as text and as HTML, under its own id", async () => {
  const stopUrl = "https://gateway.test/mail/stop/digest/a";
  await mailer.send({ ...to("alice@example.com"), stopUrl });
  const last = server.received.at(-1);
  expect(last?.to).toEqual(["alice@example.com"]);
  expect(last?.mail).toMatchObject({ subject: "Hello", messageId: "<msg_1@gateway.test>" });
  expect(last?.mail.text?.trim()).toBe("Text.");
  expect(last?.raw).toContain(`List-Unsubscribe: <${stopUrl}>`);
  expect(last?.raw).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  expect(last?.raw).toContain("Auto-Submitted: auto-generated");
});

test.each([
  ["later@example.com", false],
  ["closing@example.com", false],
  ["unknown@example.com", true],
  ["full@example.com", true],
])("a refusal of %s is final: %s", async (address, isFinal) => {
  await expect(mailer.send(to(address))).rejects.toMatchObject({ name: "MailRefused", isFinal });
});

describe("no header and no recipient comes in by", () => {
  test("a subject with line breaks", async () => {
    const subject = "Hi\r\nBcc: evil@example.com\r\n\r\nbody";
    await mailer.send({ ...to("alice@example.com"), subject });
    const last = server.received.at(-1);
    expect(last?.to).toEqual(["alice@example.com"]);
    expect(last?.mail.headers.has("bcc")).toBe(false);
    expect(last?.mail.subject).toBe("Hi Bcc: evil@example.com body");
  });

  test.each([
    "alice@example.com\r\nBcc: evil@example.com",
    "alice@example.com, evil@example.com",
    "alice@example.com evil@example.com",
    "Alice <alice@example.com>",
    '"a@b"@example.com',
    "alice@@example.com",
    `${"a".repeat(250)}@example.com`,
  ])("the address %j", async (address) => {
    const before = server.attempts();
    await expect(mailer.send(to(address))).rejects.toMatchObject({ isFinal: true });
    expect(server.attempts()).toBe(before);
  });
});

test("a wrong password pauses all mails for five minutes, and no mail is given up", async () => {
  let now = new Date("2026-03-01T12:00:00Z");
  const wrong = mailerTo(server, { user: "gateway:guess@", now: () => now });
  await expect(wrong.send(to("alice@example.com"))).rejects.toMatchObject({ isFinal: false });
  expect(wrong.pausedBy(now)).toContain("localhost: ");
  now = new Date("2026-03-01T12:05:01Z");
  expect(wrong.pausedBy(now)).toBeNull();
});

test("five addresses refused in a row pause all mails: the server may refuse the gateway", async () => {
  const relay = await startMailServer({ refuse: () => ({ code: 550 }) });
  const refused = mailerTo(relay);
  for (const name of ["a", "b", "c", "d"]) {
    await expect(refused.send(to(`${name}@example.com`))).rejects.toThrow();
  }
  expect(refused.pausedBy(new Date())).toBeNull();
  await expect(refused.send(to("e@example.com"))).rejects.toThrow();
  expect(refused.pausedBy(new Date())).not.toBeNull();
});

test("a server that is not there, or whose certificate is unknown, is tried again later", async () => {
  const from = "gateway@gateway.test";
  const now = () => new Date();
  for (const url of ["smtps://localhost:1", `smtps://localhost:${server.port}`]) {
    const away = createMailer({ url, from, now });
    await expect(away.send(to("alice@example.com"))).rejects.toMatchObject({ isFinal: false });
    away.close();
  }
});

test.each([
  ["takes mails", { authOptional: true }, ""],
  ["takes a password only after STARTTLS gets it then", { authOptional: false }, "gateway:secret@"],
])(
  "a server on this machine with a certificate of its own that %s",
  async (_does, behaviour, user) => {
    const relay = await startMailServer({ secure: false, ...behaviour });
    const url = `smtp://${user}localhost:${relay.port}`;
    const local = createMailer({ url, from: "gateway@gateway.test", now: () => new Date() });
    await local.send(to("alice@example.com"));
    local.close();
    expect(relay.received).toHaveLength(1);
  },
);

test("a server on this machine that cannot begin TLS takes mails without", async () => {
  const answers: [RegExp, string][] = [
    [/^EHLO/i, "250-relay\r\n250 STARTTLS"],
    [/^STARTTLS/i, "454 not now"],
    [/^DATA/i, "354 go on"],
    [/./, "250 fine"],
  ];
  const lines: string[] = [];
  const relay = createServer((socket) => {
    socket.write("220 relay\r\n");
    socket.on("data", (chunk) => {
      const line = chunk.toString();
      lines.push(line);
      const [, answer] = answers.find(([command]) => command.test(line)) ?? [];
      socket.write(`${answer}\r\n`);
    });
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  afterAll(() => void relay.close());
  const { port } = relay.address() as AddressInfo;
  const url = `smtp://localhost:${port}`;
  const local = createMailer({ url, from: "gateway@gateway.test", now: () => new Date() });
  await local.send(to("alice@example.com"));
  local.close();
  expect(lines.join("")).toContain("STARTTLS\r\n");
  expect(lines.join("")).toContain("Subject: Hello");
});

test("a server that never comes to an end is left at the deadline", async () => {
  const timers = new Set<NodeJS.Timeout>();
  const dripping = createServer((socket) => {
    timers.add(setInterval(() => socket.write("220-wait\r\n"), 20));
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => dripping.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    for (const timer of timers) clearInterval(timer);
    dripping.close();
  });
  const { port } = dripping.address() as AddressInfo;
  const url = `smtp://localhost:${port}`;
  const patient = createMailer({ url, from: "g@gateway.test", now: () => new Date(), msMax: 300 });
  const sending = patient.send(to("alice@example.com"));
  await expect(sending).rejects.toMatchObject({ isFinal: false });
});
