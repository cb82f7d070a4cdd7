import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { MailboxUncheckedCreateInput } from "@/lib/engine/prisma-client/models";
import { mailerTo, startMailServer } from "@/tests/support/connecting/mail-server";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  givePolicy,
  mintAdmin,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { decideConsent, listPendingConsents } from "../access/consents";
import { findLink, redeemLink } from "../accounts/links";
import { mailInvitation, mailResetLink } from "../admin/users/links";
import { sealEvents, sealedAtOnce } from "../audit/seal-events";
import { contextOf } from "../context";
import { enqueueDigests } from "./digest";
import { hourlyMax, mailUser, warnUser } from "./enqueue";
import {
  changeMailbox,
  confirmAddress,
  muteAgent,
  readMailbox,
  requestAddress,
  requestReset,
} from "./mailbox";
import { sendMails } from "./send-mails";
import { stopMail } from "./stop";

const refused = new Map<string, number>();
const server = await startMailServer({
  refuse(address) {
    const code = refused.get(address);
    return code === undefined ? undefined : { code };
  },
});
const made = await testEngine({
  LIMIT_ACCESS: "1000",
  LIMIT_PROFILE: "1000",
  LIMIT_PROPOSE: "1000",
  PUBLIC_URL: "https://gateway.test",
});
const engine = { ...made, mailer: mailerTo(server, { now: made.now }) };
const { db } = engine;
let owner: Owner;
let address: string;

beforeEach(async () => {
  refused.clear();
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  address = `${owner.userId}@alice.test`.toLowerCase();
});

function giveMailbox(more: Partial<MailboxUncheckedCreateInput> = {}) {
  const data = { userId: owner.userId, stopKey: randomBytes(16), confirmedAt: testNow, ...more };
  return db.mailbox.create({ data });
}

async function sendAll(): Promise<void> {
  while ((await sendMails(engine, "mail_now")) + (await sendMails(engine, "mail")) > 0);
}

function inbox(of = address) {
  return server.received.filter(({ to }) => to[0] === of).map(({ mail }) => mail);
}

async function deliveries(recipient: string = owner.userId) {
  return db.delivery.findMany({ where: { recipient }, orderBy: { seq: "asc" } });
}

const dayMs = 24 * 60 * 60_000;
const soon = () =>
  db.$executeRaw`UPDATE "Delivery" SET "dueAt" = '2020-01-01' WHERE state = 'waiting'`;

function ask(agent: Awaited<ReturnType<typeof mintAgent>>, type = "personalization") {
  const scopes = ["prof:health"];
  return expect(
    agent.client.requestAccess({ did: owner.did, scopes, purpose: { type } }),
  ).rejects.toMatchObject({ code: "PROF004" });
}

describe("a request for access", () => {
  test("is mailed once with the page that decides, without the profile's contents", async () => {
    await giveMailbox();
    const agent = await mintAgent(engine);
    await ask(agent);
    await ask(agent);
    await sendAll();
    const [mail, ...others] = inbox();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe("An agent asks for access: “Iris”");
    const [request] = await listPendingConsents(signedIn(engine, owner), owner.did);
    expect(mail?.text).toContain(`https://gateway.test/dashboard/access?request=${request?.id}`);
    expect(mail?.text).toContain(agent.did);
  });

  test.each([
    ["the address is not confirmed", null],
    ["such mails are off", { requests: false }],
  ] as const)("is not mailed where %s", async (_case, box) => {
    if (box !== null) await giveMailbox(box);
    await ask(await mintAgent(engine));
    expect(await deliveries()).toEqual([]);
  });

  test("is not mailed of an agent that is muted, and is again once it is not", async () => {
    await giveMailbox();
    const agent = await mintAgent(engine);
    const mute = { agentDid: agent.did, muted: true };
    await muteAgent(signedIn(engine, owner), mute);
    await ask(agent);
    expect(await deliveries()).toEqual([]);
    await muteAgent(signedIn(engine, owner), { ...mute, muted: false });
    await ask(agent, "research");
    expect(await deliveries()).toHaveLength(1);
  });

  test("is not mailed any more once it was decided", async () => {
    await giveMailbox();
    await ask(await mintAgent(engine));
    const ctx = signedIn(engine, owner);
    const [request] = await listPendingConsents(ctx, owner.did);
    await decideConsent(ctx, {
      did: owner.did,
      requestId: request?.id ?? "",
      scopes: [],
      choice: "once",
    });
    await sendAll();
    expect(inbox()).toEqual([]);
    expect(await deliveries()).toMatchObject([{ state: "done", answer: "no longer of use" }]);
  });

  test.each([
    ["such mails were ended", (key: string) => stopMail(db, { what: "requests", key })],
    [
      "the agent was muted",
      (_key: string, agentDid: string) =>
        muteAgent(signedIn(engine, owner), { agentDid, muted: true }),
    ],
  ])("that waits to be mailed is not sent once %s", async (_case, end) => {
    const { stopKey } = await giveMailbox();
    const agent = await mintAgent(engine);
    await ask(agent);
    await end(Buffer.from(stopKey).toString("base64url"), agent.did);
    await sendAll();
    expect(inbox()).toEqual([]);
    expect(await deliveries()).toMatchObject([{ state: "done", answer: "no longer of use" }]);
  });

  test("is mailed at most five times an hour, from however many agents", async () => {
    await giveMailbox();
    for (let count = 0; count <= hourlyMax; count++) await ask(await mintAgent(engine));
    expect(await deliveries()).toHaveLength(hourlyMax);
  });

  test("of a transaction that is rolled back is never mailed", async () => {
    await giveMailbox();
    const failing = db.$transaction(async (tx) => {
      await warnUser(tx, { now: testNow, userId: owner.userId, event: "signed_in" });
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    expect(await deliveries()).toEqual([]);
  });
});

describe("a mail", () => {
  const warn = () =>
    db.$transaction((tx) =>
      warnUser(tx, { now: testNow, userId: owner.userId, event: "key_added" }),
    );

  test("that is refused for now is tried again later, under the same id", async () => {
    await giveMailbox();
    await warn();
    refused.set(address, 451);
    await sendAll();
    expect(await deliveries()).toMatchObject([{ state: "waiting", attempts: 1, lease: null }]);
    refused.clear();
    await soon();
    await sendAll();
    const [delivery] = await deliveries();
    expect(delivery).toMatchObject({ state: "done", attempts: 2 });
    expect(inbox()).toMatchObject([{ messageId: `<${delivery?.id}@gateway.test>` }]);
  });

  test("that is refused for good is given up at once, with the server's words", async () => {
    await giveMailbox();
    await warn();
    refused.set(address, 550);
    await sendAll();
    expect(await deliveries()).toMatchObject([
      { state: "given_up", attempts: 1, answer: expect.stringContaining("550") },
    ]);
  });

  test("is given up after nine attempts", async () => {
    await giveMailbox();
    await warn();
    refused.set(address, 451);
    for (let attempt = 0; attempt < 9; attempt++) {
      await soon();
      await sendMails(engine, "mail_now");
    }
    expect(await deliveries()).toMatchObject([{ state: "given_up", attempts: 9 }]);
  });

  test("that waited for more than three days is given up and not sent", async () => {
    await giveMailbox();
    await warn();
    engine.setNow(new Date(testNow.getTime() + 3 * dayMs + 1));
    await sendAll();
    expect(inbox()).toEqual([]);
    expect(await deliveries()).toMatchObject([
      { state: "given_up", answer: "waited for more than three days" },
    ]);
  });

  test("that two processes see is sent by one of them", async () => {
    await giveMailbox();
    for (let count = 0; count < 10; count++) await warn();
    await Promise.all([sendMails(engine, "mail_now"), sendMails(engine, "mail_now")]);
    await sendAll();
    expect(new Set(inbox().map(({ messageId }) => messageId)).size).toBe(10);
    expect(inbox()).toHaveLength(10);
  });

  test("of a process that was killed goes out again once its claim is over", async () => {
    await giveMailbox();
    await warn();
    await db.$executeRaw`UPDATE "Delivery" SET lease = gen_random_uuid(), attempts = 1,
      "dueAt" = clock_timestamp() + interval '2 minutes' WHERE recipient = ${owner.userId}`;
    expect(await sendMails(engine, "mail_now")).toBe(0);
    await soon();
    await sendAll();
    expect(inbox()).toHaveLength(1);
  });
});

describe("a digest", () => {
  const daily = { digest: "day", hour: 8, weekday: 1, timeZone: "UTC" } as const;
  const morning = new Date("2026-03-02T08:00:00.000Z");

  async function propose(content: string) {
    const agent = await mintAgent(engine);
    await givePolicy(engine, owner.profileId, {
      agentPattern: agent.did,
      allow: ["prof:*"],
      permissions: ["propose"],
    });
    await agent.client.proposeMemory({
      did: owner.did,
      content,
      category: "prof:interests",
      confidence: 0.9,
    });
    return agent;
  }

  test("comes at the owner's hour, counts what waits, and has no texts", async () => {
    await giveMailbox();
    await changeMailbox(signedIn(engine, owner), {
      ...daily,
      requests: true,
      agents: true,
      contents: false,
    });
    await propose("Likes green tea.");
    expect(await enqueueDigests(db, new Date(morning.getTime() - 1))).toBe(0);
    expect(await enqueueDigests(db, morning)).toBe(1);
    engine.setNow(morning);
    await sendAll();
    expect(inbox()).toMatchObject([{ subject: "1 proposal waits for you" }]);
    expect(inbox()[0]?.text).not.toContain("tea");
    expect((await db.mailbox.findUnique({ where: { userId: owner.userId } }))?.digestDueAt).toEqual(
      new Date("2026-03-03T08:00:00.000Z"),
    );
  });

  test("has the texts where the owner switched that on", async () => {
    await giveMailbox({ ...daily, contents: true, digestDueAt: testNow });
    await propose("Likes\u202e green tea.");
    await enqueueDigests(db, testNow);
    await sendAll();
    expect(inbox()[0]?.text).toContain("> Likes  green tea.");
  });

  test("leaves out what agents that are muted propose", async () => {
    await giveMailbox({ ...daily, contents: true, digestDueAt: testNow });
    const { did: agentDid } = await propose("Likes coffee.");
    await propose("Likes tea.");
    await muteAgent(signedIn(engine, owner), { agentDid, muted: true });
    await enqueueDigests(db, testNow);
    await sendAll();
    expect(inbox()).toMatchObject([{ subject: "1 proposal waits for you" }]);
    expect(inbox()[0]?.text).not.toContain("coffee");
  });

  test("is not sent where nothing waits", async () => {
    await giveMailbox({ ...daily, digestDueAt: testNow });
    await enqueueDigests(db, testNow);
    await sendAll();
    expect(inbox()).toEqual([]);
  });

  test("is enqueued once while it waits, and again once it was sent", async () => {
    await giveMailbox({ ...daily, digestDueAt: testNow });
    await propose("Likes tea.");
    await enqueueDigests(db, testNow);
    await enqueueDigests(db, morning);
    expect(await deliveries()).toHaveLength(1);
    await sendAll();
    await enqueueDigests(db, new Date(morning.getTime() + dayMs));
    expect(await deliveries()).toMatchObject([{ state: "done" }, { state: "waiting" }]);
  });

  test("that waits is not sent once digests were ended", async () => {
    const { stopKey } = await giveMailbox({ ...daily, digestDueAt: testNow });
    await propose("Likes tea.");
    await enqueueDigests(db, testNow);
    await stopMail(db, { what: "digest", key: Buffer.from(stopKey).toString("base64url") });
    await sendAll();
    expect(inbox()).toEqual([]);
  });

  test("ends by one click with the key of its mail, and by no other", async () => {
    const { stopKey } = await giveMailbox({ ...daily, digestDueAt: testNow });
    await propose("Likes tea.");
    await enqueueDigests(db, testNow);
    await sendAll();
    const key = Buffer.from(stopKey).toString("base64url");
    expect(inbox()[0]?.text).toContain(`https://gateway.test/mail/stop/digest/${key}`);
    expect(await stopMail(db, { what: "digest", key: "AAAAAAAAAAAAAAAAAAAAAA" })).toBe(false);
    expect(await stopMail(db, { what: "digest", key })).toBe(true);
    expect(await readMailbox(signedIn(engine, owner))).toMatchObject({
      digest: "never",
      requests: true,
    });
  });
});

function tokenIn(text: string | undefined): string {
  return /\/link\/(\S+)/.exec(text ?? "")?.[1] ?? "";
}

describe("a link by mail", () => {
  const nobody = () => contextOf(engine, { kind: "nobody" });

  test("chooses a new password, and is made for known addresses only", async () => {
    await requestReset(nobody(), { email: address });
    await requestReset(nobody(), { email: "nobody@example.com" });
    expect(await deliveries("nobody@example.com")).toHaveLength(1);
    await sendAll();
    expect(inbox("nobody@example.com")).toEqual([]);
    const token = tokenIn(inbox()[0]?.text);
    expect(await findLink(nobody(), token)).toMatchObject({
      purpose: "password_reset",
      email: address,
    });
    engine.setNow(new Date(testNow.getTime() + 60 * 60_000));
    expect(await findLink(nobody(), token)).toBeNull();
  });

  test("is mailed at most five times an hour to an address, by parallel requests too", async () => {
    await Promise.all(Array.from({ length: 8 }, () => requestReset(nobody(), { email: address })));
    expect(await deliveries(address)).toHaveLength(hourlyMax);
  });

  test("of an admin invites, and no admin sees it", async () => {
    const root = await mintAdmin(engine);
    const email = `${owner.userId}@new.test`.toLowerCase();
    await mailInvitation(root.ctx, { email, role: "user" });
    await sendAll();
    const token = tokenIn(inbox(email)[0]?.text);
    const account = {
      token,
      email,
      name: "New",
      handle: owner.userId,
      passwordHash: null,
      namespace: "local",
    };
    await expect(redeemLink(nobody(), account)).resolves.toMatchObject({
      userId: expect.any(String),
    });
  });

  test("is refused beyond five an hour to an address, and the last one keeps working", async () => {
    const ctx = signedIn(engine, owner);
    for (let count = 0; count < hourlyMax; count++) await requestAddress(ctx, { email: address });
    await sendAll();
    const token = tokenIn(inbox().at(-1)?.text);
    await expect(requestAddress(ctx, { email: address })).rejects.toThrow("Nothing was changed");
    expect(await findLink(nobody(), token)).toMatchObject({ purpose: "address" });
  });

  test("of an admin is refused beyond five an hour, and those that were mailed keep working", async () => {
    const root = await mintAdmin(engine);
    for (let count = 0; count < hourlyMax; count++)
      await requestReset(nobody(), { email: address });
    await sendAll();
    const mailing = mailResetLink(root.ctx, owner.userId);
    await expect(mailing).rejects.toThrow("npm run admin -- reset-link");
    for (const { text } of inbox()) expect(await findLink(nobody(), tokenIn(text))).not.toBeNull();
    const user = await db.user.findUnique({ where: { id: owner.userId } });
    expect(user?.resetLinkMadeAt).toBeNull();
  });

  test("of an admin is refused for a user who is suspended", async () => {
    const root = await mintAdmin(engine);
    await db.user.update({ where: { id: owner.userId }, data: { state: "suspended" } });
    await expect(mailResetLink(root.ctx, owner.userId)).rejects.toThrow("Resume");
    expect(await deliveries(address)).toEqual([]);
  });

  test("of an admin helps with a password, once", async () => {
    const root = await mintAdmin(engine);
    await mailResetLink(root.ctx, owner.userId);
    await sendAll();
    expect(inbox().map(({ subject }) => subject)).toEqual(["Choose a new password"]);
  });

  test("confirms an address, and both the former and the new one get a mail", async () => {
    await giveMailbox();
    const ctx = signedIn(engine, owner);
    const email = `${owner.userId}@elsewhere.test`.toLowerCase();
    await requestAddress(ctx, { email });
    await sendAll();
    const token = tokenIn(inbox(email)[0]?.text);
    const stranger = signedIn(engine, await mintOwner(engine));
    const timeZone = "Europe/Berlin";
    await expect(confirmAddress(stranger, { token, timeZone })).rejects.toMatchObject({
      code: "PROF003",
    });
    await expect(confirmAddress(ctx, { token, timeZone })).resolves.toBeUndefined();
    await expect(confirmAddress(ctx, { token, timeZone })).rejects.toMatchObject({
      code: "PROF003",
    });
    await sendAll();
    expect(inbox().map(({ subject }) => subject)).toEqual([
      "The address of your account was changed",
    ]);
    expect(inbox(email).at(-1)?.subject).toBe("This is the address of your account now");
  });

  test("opens the mailbox of an address that stays", async () => {
    const ctx = signedIn(engine, owner);
    expect(await readMailbox(ctx)).toBeNull();
    await requestAddress(ctx, { email: address });
    await sendAll();
    await confirmAddress(ctx, { token: tokenIn(inbox()[0]?.text), timeZone: "Asia/Tokyo" });
    expect(await readMailbox(ctx)).toMatchObject({ digest: "day", timeZone: "Asia/Tokyo" });
    expect((await db.mailbox.findUnique({ where: { userId: owner.userId } }))?.digestDueAt).toEqual(
      new Date("2026-03-01T23:00:00.000Z"),
    );
  });

  test("that goes out again after a crash has another id, as only its link works", async () => {
    await requestAddress(signedIn(engine, owner), { email: address });
    await sendAll();
    await db.$executeRaw`UPDATE "Delivery" SET state = 'waiting', "endedAt" = NULL WHERE recipient = ${address}`;
    await soon();
    await sendAll();
    const [first, second] = inbox();
    expect(second?.messageId).not.toBe(first?.messageId);
    expect(await findLink(nobody(), tokenIn(first?.text))).toBeNull();
    expect(await findLink(nobody(), tokenIn(second?.text))).toMatchObject({ purpose: "address" });
  });

  test("to an address that another account has changes nothing", async () => {
    const other = await mintOwner(engine);
    const email = `${other.userId}@alice.test`.toLowerCase();
    const ctx = signedIn(engine, owner);
    await requestAddress(ctx, { email });
    await sendAll();
    const confirming = confirmAddress(ctx, {
      token: tokenIn(inbox(email)[0]?.text),
      timeZone: "UTC",
    });
    await expect(confirming).rejects.toMatchObject({ code: "PROF006" });
    expect((await db.user.findUnique({ where: { id: owner.userId } }))?.email).toBe(address);
  });
});

test("a mail to a user who is gone is never sent", async () => {
  await giveMailbox();
  await db.$transaction((tx) =>
    mailUser(tx, {
      kind: "webhook_paused",
      now: testNow,
      userId: owner.userId,
      agentDid: "did:prof:agent:local:x",
    }),
  );
  await db.user.update({ where: { id: owner.userId }, data: { state: "suspended" } });
  await sendAll();
  expect(inbox()).toEqual([]);
});

describe("an agent that comes for the first time", () => {
  const read = async (agent: Awaited<ReturnType<typeof mintAgent>>) => {
    await agent.client.getProfile({ did: owner.did });
    await sealEvents(db, engine.now());
    await sendAll();
  };

  test("is mailed once, with its page", async () => {
    await giveMailbox();
    const agent = await mintAgent(engine);
    await read(agent);
    await read(agent);
    expect(inbox().map(({ subject }) => subject)).toEqual([
      "A new agent came to your profile: “Iris”",
    ]);
    expect(inbox()[0]?.text).toContain(`/dashboard/agents/${encodeURIComponent(agent.did)}`);
  });

  test("is mailed once where its first events are sealed in several batches", async () => {
    await giveMailbox();
    const agent = await mintAgent(engine);
    const reads = Array.from({ length: sealedAtOnce + 1 }, () =>
      agent.client.getProfile({ did: owner.did }),
    );
    await Promise.all(reads);
    while ((await sealEvents(db, engine.now())) > 0);
    expect(await deliveries()).toMatchObject([{ kind: "new_agent" }]);
  });

  test("and asks for access has the mail of its request only", async () => {
    await giveMailbox();
    await ask(await mintAgent(engine));
    await sealEvents(db, engine.now());
    expect(await deliveries()).toMatchObject([{ kind: "access_request" }]);
  });

  test("and asks for access is mailed where mails of requests are off", async () => {
    await giveMailbox({ requests: false });
    await ask(await mintAgent(engine));
    await sealEvents(db, engine.now());
    expect(await deliveries()).toMatchObject([{ kind: "new_agent" }]);
  });

  test("and asks for access is mailed once the hour's mails of requests are used up", async () => {
    await giveMailbox();
    for (let count = 0; count < hourlyMax; count++) await ask(await mintAgent(engine));
    const agent = await mintAgent(engine);
    await ask(agent);
    await sealEvents(db, engine.now());
    const [last, before] = (await deliveries()).reverse();
    expect(last).toMatchObject({ kind: "new_agent", body: { agentDid: agent.did } });
    expect(before).toMatchObject({ kind: "access_request" });
  });
});
