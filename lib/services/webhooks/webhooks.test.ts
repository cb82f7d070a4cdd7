import { beforeEach, describe, expect, test } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveToken,
  type Minted,
  mintAdmin,
  mintAgent,
  mintOwner,
  type Owner,
  revokeKey,
  signedIn,
} from "@/tests/support/personas";
import { setPassword } from "../accounts/password";
import { resetPassword } from "../accounts/reset-password";
import { suspendAgent } from "../admin/agents/change-agent";
import { changeRole, suspendUser } from "../admin/users/change-user";
import { deleteUser } from "../admin/users/delete-user";
import { issueResetLink } from "../admin/users/links";
import { type Ctx, contextOf } from "../context";
import { listDeliveries, replayDelivery } from "./deliveries";
import {
  findWebhook,
  removeWebhook,
  resumeWebhook,
  rotateSecret,
  setWebhook,
  testWebhook,
} from "./webhooks";

const engine = await testEngine();
const url = "https://agent.example.com/hook";
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  agent = await mintAgent(engine, { registeredBy: owner.userId, origin: "user" });
});

const itself = ({ did, publicKey } = agent) => contextOf(engine, { kind: "agent", did, publicKey });
const set = (by: Ctx = itself(), address = url) =>
  setWebhook(by, { did: agent.did, url: address, allowsLoopback: false });
const refusal = (work: Promise<unknown>) => work.then(() => null).catch(({ code }) => code);
const row = () => engine.db.webhook.findUnique({ where: { agentDid: agent.did } });

const verbs: Record<string, (by: Ctx) => Promise<unknown>> = {
  set: (by) => set(by),
  find: (by) => findWebhook(by, agent.did),
  rotate: (by) => rotateSecret(by, agent.did),
  test: (by) => testWebhook(by, agent.did),
  list: (by) => listDeliveries(by, { did: agent.did, limit: 10 }),
  replay: async (by) => {
    const { id } = await testWebhook(itself(), agent.did);
    const ended = { state: "done", endedAt: testNow } as const;
    await engine.db.delivery.update({ where: { id }, data: ended });
    await replayDelivery(by, { did: agent.did, id });
  },
  resume: async (by) => {
    const data = { state: "paused", dueAt: null } as const;
    await engine.db.webhook.update({ where: { agentDid: agent.did }, data });
    await resumeWebhook(by, agent.did);
  },
  remove: (by) => removeWebhook(by, agent.did),
};

describe.each(Object.entries(verbs))("%s", (_name, verb) => {
  beforeEach(() => set());

  test("is for the agent itself", async () => {
    expect(await refusal(verb(itself()))).toBeNull();
  });

  test("is for the user who registered the agent", async () => {
    expect(await refusal(verb(signedIn(engine, owner)))).toBeNull();
  });

  test("is for an admin", async () => {
    expect(await refusal(verb((await mintAdmin(engine)).ctx))).toBeNull();
  });

  test("is refused to everybody else", async () => {
    const [stranger, other] = [await mintOwner(engine), await mintAgent(engine)];
    const { id: tokenId } = await giveToken(engine, { owner, agent });
    const token = { tokenId, did: agent.did, profileDid: owner.did, profileId: owner.profileId };
    const others = [
      signedIn(engine, stranger),
      itself(other),
      contextOf(engine, { kind: "user", did: owner.did, publicKey: owner.publicKey }),
      contextOf(engine, { kind: "nobody" }),
      contextOf(engine, { ...token, kind: "token", scopes: [], permissions: ["read"] }),
    ];
    for (const by of others) expect(await refusal(verb(by))).toBe("PROF002");
  });

  test("is refused to a user whose agent an admin registered", async () => {
    await engine.db.agent.update({ where: { did: agent.did }, data: { origin: "admin" } });
    expect(await refusal(verb(signedIn(engine, owner)))).toBe("PROF002");
  });
});

const changes = Object.entries(verbs).filter(([name]) => name !== "find" && name !== "list");

test.each(changes)(
  "%s is refused to a suspended agent, and with a revoked key",
  async (_name, verb) => {
    await set();
    await revokeKey(engine, agent);
    expect(await refusal(verb(itself()))).toBe("PROF001");
    await suspendAgent((await mintAdmin(engine)).ctx, { did: agent.did, reason: "x" });
    expect(await refusal(verb(itself()))).toBe("PROF001");
  },
);

test.each(["set", "rotate"])(
  "%s asks a person to confirm, as it shows a secret or sends elsewhere",
  async (name) => {
    await set();
    const confirmedAt = new Date(testNow.getTime() - 60 * 60_000);
    await engine.db.session.updateMany({ where: { userId: owner.userId }, data: { confirmedAt } });
    await expect(verbs[name]?.(signedIn(engine, owner))).rejects.toMatchObject({
      details: { confirm: true },
    });
  },
);

test("each change is in the admins' log, without the address", async () => {
  await set();
  await set(signedIn(engine, owner));
  for (const name of ["rotate", "test", "resume", "remove"]) {
    await verbs[name]?.(signedIn(engine, owner));
  }
  const events = await engine.db.adminEvent.findMany({
    where: { subjectId: agent.did },
    orderBy: { id: "asc" },
  });
  const recorded = events.map(({ adminId, verb, before, after }) => [adminId, verb, before, after]);
  expect(recorded.toSorted()).toEqual(
    [
      ["itself", "setWebhook"],
      ...["removeWebhook", "resumeWebhook", "rotateWebhookSecret", "setWebhook"].map((verb) => [
        ...[owner.userId, verb],
      ]),
    ]
      .map((event) => [...event, null, null])
      .toSorted(),
  );
});

describe("is paused, and holds what comes,", () => {
  const state = async () => (await row())?.state;
  const restart = () => resumeWebhook(signedIn(engine, owner), agent.did);

  test.each([
    [
      "by a link",
      async () => {
        const { token } = await issueResetLink((await mintAdmin(engine)).ctx, owner.userId);
        const nobody = contextOf(engine, { kind: "nobody" });
        await resetPassword(nobody, { token, passwordHash: "x", keep: null });
      },
    ],
    [
      "in the settings",
      async () => {
        const where = { id: owner.userId };
        await engine.db.user.update({ where, data: { passwordHash: "old" } });
        await setPassword(signedIn(engine, owner), { from: "old", to: "new" });
      },
    ],
  ])("where the person who registered its agent has a new password, %s", async (_how, change) => {
    await set();
    await change();
    expect(await findWebhook(itself(), agent.did)).toMatchObject({
      state: "paused",
      stateReason:
        "The person who registered the agent has a new password: look at the address first.",
    });
  });

  test.each(["demoted", "suspended", "deleted"] as const)(
    "where an admin who had set it up is %s; one of an agent of their own is not",
    async (ending) => {
      const [root, admin] = [await mintAdmin(engine), await mintAdmin(engine)];
      await set(admin.ctx);
      const { userId } = admin;
      const own = await mintAgent(engine, { registeredBy: userId, origin: "user" });
      await setWebhook(admin.ctx, { did: own.did, url, allowsLoopback: false });
      if (ending === "demoted") await changeRole(root.ctx, { userId, role: "user" });
      else if (ending === "suspended") await suspendUser(root.ctx, userId);
      else await deleteUser(root.ctx, userId);
      expect(await state()).toBe("paused");
      const kept = await engine.db.webhook.findUnique({ where: { agentDid: own.did } });
      expect(kept?.state).toBe(ending === "deleted" ? undefined : "active");
      await restart();
      expect(await state()).toBe("active");
    },
  );

  test("not where an admin goes who had only looked at it, or a user is suspended", async () => {
    const [root, admin] = [await mintAdmin(engine), await mintAdmin(engine)];
    await set(signedIn(engine, owner));
    await testWebhook(admin.ctx, agent.did);
    await suspendUser(root.ctx, admin.userId);
    await suspendUser(root.ctx, owner.userId);
    expect(await state()).toBe("active");
  });
});

describe("an address", () => {
  test("that is new brings a secret, shown once; a change keeps it", async () => {
    const { webhook, secret } = await set();
    expect(webhook).toEqual({
      ...{ url, state: "active", stateReason: null, formerSecretUntil: null, waiting: 0 },
      ...{ createdAt: testNow, updatedAt: testNow },
    });
    const stored = (await row())?.secret ?? new Uint8Array();
    expect(secret).toBe(`whsec_${Buffer.from(stored).toString("base64")}`);
    const changed = await set(itself(), "https://other.example.com/");
    expect(changed).toMatchObject({ secret: null, webhook: { url: "https://other.example.com/" } });
    expect((await row())?.secret).toEqual(stored);
  });

  test("is one for each agent, also of two that set it at once", async () => {
    const answers = await Promise.all([set(), set()]);
    expect(answers.filter(({ secret }) => secret !== null)).toHaveLength(1);
  });

  test.each([
    ["http://agent.example.com/", "Must begin with https://."],
    ["http://localhost:4000/", "Must begin with https://."],
    ["https://127.0.0.1/", "public internet"],
    ["https://[::1]/", "public internet"],
    ["https://2130706433/", "public internet"],
    ["https://me:you@agent.example.com/", "no user name"],
    ["https://agent.example.com:25/", "port 443"],
    [`https://agent.example.com/${"é".repeat(500)}`, "at most 2000 characters"],
    ["nowhere", "Must be an address"],
  ])("%s is refused", async (address, why) => {
    await expect(set(itself(), address)).rejects.toThrow(why);
    expect(await row()).toBeNull();
  });

  test("of this machine is possible in development", async () => {
    const local = { did: agent.did, url: "http://localhost:4000/", allowsLoopback: true };
    expect((await setWebhook(itself(), local)).webhook.url).toBe(local.url);
  });
});

test("a rotation keeps the former secret for a day, and says until when", async () => {
  await set();
  const before = (await row())?.secret;
  const { secret, formerSecretUntil } = await rotateSecret(itself(), agent.did);
  const after = await row();
  expect(after?.formerSecret).toEqual(before);
  expect(secret).toBe(`whsec_${Buffer.from(after?.secret ?? []).toString("base64")}`);
  expect(formerSecretUntil.getTime() - testNow.getTime()).toBe(86_400_000);
  expect(await findWebhook(itself(), agent.did)).toMatchObject({ formerSecretUntil });
  engine.setNow(formerSecretUntil);
  expect(await findWebhook(itself(), agent.did)).toMatchObject({ formerSecretUntil: null });
});

test("a removal takes the messages with it", async () => {
  await set();
  await testWebhook(itself(), agent.did);
  await removeWebhook(itself(), agent.did);
  expect(await findWebhook(itself(), agent.did)).toBeNull();
  expect(await engine.db.delivery.count({ where: { recipient: agent.did } })).toBe(0);
});

test.each(["rotate", "test", "remove"])(
  "%s of an agent without a webhook finds none",
  async (name) => {
    expect(await refusal(verbs[name]?.(itself()) ?? Promise.resolve())).toBe("PROF003");
  },
);

test("resuming what is not paused changes nothing", async () => {
  await set();
  expect(await refusal(resumeWebhook(itself(), agent.did))).toBe("PROF006");
});

test("the log is listed newest first, in pages, without messages of others", async () => {
  await set();
  const other = await mintAgent(engine);
  await setWebhook(itself(other), { did: other.did, url, allowsLoopback: false });
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) ids.unshift((await testWebhook(itself(), agent.did)).id);
  await testWebhook(itself(other), other.did);
  const list = (after?: string) => listDeliveries(itself(), { did: agent.did, after, limit: 2 });
  const first = await list();
  const second = await list(first.next ?? "");
  const third = await list(second.next ?? "");
  const pages = [first, second, third].map(({ deliveries }) => deliveries.map(({ id }) => id));
  expect(pages.flat()).toEqual(ids);
  expect(third.next).toBeNull();
  expect(first.deliveries[0]).toEqual({
    ...{ id: ids[0], type: "webhook.test", state: "waiting", attempts: 0, answer: null },
    message: { type: "webhook.test", timestamp: testNow.toISOString(), data: {} },
    ...{ madeAt: testNow, endedAt: null },
  });
});
