import { describe, expect, test } from "vitest";
import { installEngine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";
import type { ApiEndpoint } from "@/lib/http/api/endpoint";
import { adminApi } from "@/lib/http/api/tables";
import { answerOf, ask, type Sent, send, signedInCookie } from "@/tests/support/dashboard-api";
import { configured, testEngine, testNow } from "@/tests/support/harness";
import { mintAdmin, mintAgent, mintKeyPair, mintOwner } from "@/tests/support/personas";
import { issuePaths } from "@/tests/support/wire";

// What holds for every row of the table, whatever it does; then each verb once through its door.
const engine = await testEngine({ LIMIT_SESSION: "100000" });
const all: ApiEndpoint[] = Object.values(adminApi);
const canary = "canary-7f3a";

async function scene() {
  const owner = await mintOwner(engine, { common: { identity: { displayName: canary } } });
  const agent = await mintAgent(engine);
  await engine.db.user.update({ where: { id: owner.userId }, data: { name: canary } });
  await engine.db.agent.update({ where: { did: agent.did }, data: { operator: canary } });
  const params = {
    userId: owner.userId,
    did: owner.did,
    agentDid: agent.did,
    keyId: "key_1",
    name: "SIGN_UP",
    changeId: "evt_1",
  };
  return { owner, agent, params };
}

async function adminCookie() {
  const root = await mintAdmin(engine);
  return { root, cookie: await signedInCookie(engine, root) };
}

function exampleOf({ body }: ApiEndpoint): unknown {
  if (body === null) return undefined;
  const examples: unknown = body.meta()?.examples;
  return Array.isArray(examples) ? examples[0] : {};
}

describe.each(all.map((row) => [`${row.method} ${row.path}`, row] as const))("%s", (_at, row) => {
  test("refuses strangers, users, the suspended, the demoted and other sites, and tells them nothing", async () => {
    const { owner, params } = await scene();
    const user = await signedInCookie(engine, owner);
    const suspended = await adminCookie();
    const demoted = await adminCookie();
    const admin = await adminCookie();
    const change = (id: string, data: object) => engine.db.user.update({ where: { id }, data });
    await change(suspended.root.userId, { state: "suspended" });
    await change(demoted.root.userId, { role: "user" });
    const before = await engine.db.adminEvent.count();
    const cases: [Sent, number, string][] = [
      [{}, 401, "PROF001"],
      [{ cookie: user }, 403, "PROF002"],
      [{ cookie: suspended.cookie }, 401, "PROF001"],
      [{ cookie: demoted.cookie }, 403, "PROF002"],
      [{ cookie: admin.cookie, headers: { Origin: "https://evil.test" } }, 403, "PROF002"],
      [{ cookie: admin.cookie, headers: { "Sec-Fetch-Site": "cross-site" } }, 403, "PROF002"],
    ];
    for (const [sent, status, code] of cases) {
      const response = await send(row, { params, body: exampleOf(row), ...sent });
      const text = await response.text();
      expect([response.status, JSON.parse(text).error.code]).toEqual([status, code]);
      expect(text).not.toContain(canary);
      expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    }
    expect(await engine.db.adminEvent.count()).toBe(before);
  });
});

describe("an admin", () => {
  test("lists, looks, suspends, resumes, changes a role, and deletes a user", async () => {
    const { cookie } = await adminCookie();
    const { owner, params } = await scene();
    const sent = { cookie, params };
    const { email } = await engine.db.user.findUniqueOrThrow({ where: { id: owner.userId } });
    const list = await answerOf(adminApi.listUsers, { cookie, query: { search: email } });
    expect(list.data).toMatchObject([{ id: owner.userId, email, profiles: 1, state: "active" }]);
    await answerOf(adminApi.suspendUser, sent);
    expect((await answerOf(adminApi.getUser, sent)).data.state).toBe("suspended");
    await answerOf(adminApi.resumeUser, sent);
    await answerOf(adminApi.changeRole, { ...sent, body: { role: "admin" } });
    expect((await answerOf(adminApi.getUser, sent)).data.role).toBe("admin");
    await answerOf(adminApi.deleteUser, sent);
    expect((await ask(adminApi.getUser, sent)).body.error?.code).toBe("PROF003");
  });

  test("makes links that name this gateway", async () => {
    installEngine(configured(engine, { PUBLIC_URL: ["http://gateway.test"] }));
    const { cookie } = await adminCookie();
    const { params } = await scene();
    const own = { cookie, params };
    const email = `${newId("new").toLowerCase()}@example.com`;
    const invited = await answerOf(adminApi.inviteUser, { ...own, body: { email } });
    const reset = await answerOf(adminApi.issueResetLink, own);
    for (const { data } of [invited, reset]) {
      expect(data.url).toMatch(/^http:\/\/gateway\.test\/link\/\S{20,}$/);
    }
    installEngine(engine);
  });

  test("pages through users, profiles and agents without losing one", async () => {
    const { cookie } = await adminCookie();
    await scene();
    await scene();
    for (const row of [
      adminApi.listUsers,
      adminApi.listAllProfiles,
      adminApi.listAgents,
      adminApi.listAdminActivity,
    ]) {
      const first = await answerOf(row, { cookie, query: { limit: "1" } });
      const cursor = first.meta.next ?? "";
      const second = await answerOf(row, { cookie, query: { limit: "1", cursor } });
      expect([first.data.length, second.data.length]).toEqual([1, 1]);
      expect(second.data).not.toEqual(first.data);
    }
  });

  test("takes cursors up to the highest number of a profile, and refuses those beyond", async () => {
    const { cookie } = await adminCookie();
    const row = adminApi.listAllProfiles;
    const pageFrom = (id: number) =>
      ask(row, { cookie, query: { cursor: `2026-03-01T00:00:00.000Z~${id}` } });
    expect((await pageFrom(2 ** 31 - 1)).status).toBe(200);
    const beyond = await pageFrom(2 ** 31);
    expect([beyond.status, issuePaths(beyond)]).toEqual([400, ["query.cursor"]]);
  });

  test("makes, changes, transfers and erases a profile, and sees nothing of what it holds", async () => {
    const { cookie } = await adminCookie();
    const { owner } = await scene();
    const [bob, { userId }] = [await mintOwner(engine), owner];
    const made = await answerOf(adminApi.createProfile, {
      cookie,
      body: { userId, handle: newId("p"), name: canary },
    });
    const sent = { cookie, params: { did: made.data.did } };
    const body = { profileType: "entity", version: "1.1" };
    await answerOf(adminApi.setProfileFormat, { ...sent, body });
    await answerOf(adminApi.suspendProfile, sent);
    await answerOf(adminApi.resumeProfile, sent);
    const { email } = await engine.db.user.findUniqueOrThrow({ where: { id: bob.userId } });
    const input = { ...sent, body: { email } };
    await answerOf(adminApi.transferProfile, input);
    await answerOf(adminApi.withdrawTransfer, sent);
    const { data: waits } = await answerOf(adminApi.transferProfile, input);
    const { data } = await answerOf(adminApi.describeProfile, sent);
    const transfer = { email, acceptedByOwner: false, acceptedByNew: false };
    expect(data).toMatchObject({ ...body, state: "active", owner: { id: userId }, transfer });
    expect(data.transfer?.effectiveAt).toBe(waits.effectiveAt);
    expect(JSON.stringify(data)).not.toContain(canary);
    await answerOf(adminApi.eraseProfile, sent);
    expect((await ask(adminApi.describeProfile, sent)).status).toBe(404);
  });

  test("registers an agent, changes all there is about it, and deletes it", async () => {
    const { cookie } = await adminCookie();
    const did = `did:prof:agent:local:${newId("a")}`;
    const key = () => Buffer.from(mintKeyPair().publicKey).toString("base64");
    const registered = { did, name: "Iris", publicKey: key() };
    const made = await answerOf(adminApi.registerAgent, { cookie, body: registered });
    expect(made.data.status).toBe("active");
    const sent = { cookie, params: { agentDid: did } };
    const added = await answerOf(adminApi.addKey, { ...sent, body: { publicKey: key() } });
    const keyId = added.data.id;
    await answerOf(adminApi.revokeKey, { cookie, params: { agentDid: did, keyId } });
    await answerOf(adminApi.verifyAgent, { ...sent, body: { verified: true } });
    await answerOf(adminApi.setCeiling, { ...sent, body: { ceiling: ["prof:preferences"] } });
    await answerOf(adminApi.setLimits, { ...sent, body: { limits: { profile: 7 } } });
    await answerOf(adminApi.suspendAgent, { ...sent, body: { reason: "Complaints." } });
    const { data } = await answerOf(adminApi.getAgent, sent);
    expect(data).toMatchObject({
      state: "suspended",
      stateReason: "Complaints.",
      verified: true,
      ceiling: ["prof:preferences"],
      limits: { profile: 7 },
    });
    expect(data.keys.filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
    await answerOf(adminApi.resumeAgent, sent);
    await answerOf(adminApi.deleteAgent, sent);
    expect((await ask(adminApi.getAgent, sent)).status).toBe(404);
  });

  test("approves one registration and refuses another", async () => {
    const { cookie } = await adminCookie();
    const [yes, no] = [
      await mintAgent(engine, { state: "pending" }),
      await mintAgent(engine, { state: "pending" }),
    ];
    await answerOf(adminApi.approveAgent, { cookie, params: { agentDid: yes.did } });
    const refusal = { cookie, params: { agentDid: no.did }, body: { reason: "Unknown." } };
    await answerOf(adminApi.refuseAgent, refusal);
    expect((await ask(adminApi.refuseAgent, refusal)).body.error?.code).toBe("PROF006");
    const states = await engine.db.agent.findMany({
      where: { did: { in: [yes.did, no.did] } },
      select: { did: true, state: true },
    });
    expect(states).toContainEqual({ did: yes.did, state: "active" });
    expect(states).toContainEqual({ did: no.did, state: "suspended" });
  });

  test("changes a setting, reads it and who changed it, and takes it back", async () => {
    const { root, cookie } = await adminCookie();
    const params = { name: "LIMIT_ACCESS" };
    const { data } = await answerOf(adminApi.changeSetting, {
      cookie,
      params,
      body: { value: "77" },
    });
    const settings = await answerOf(adminApi.listSettings, { cookie });
    expect(settings.data.find(({ name }) => name === "LIMIT_ACCESS")).toMatchObject({
      value: "77",
      changed: { by: root.userId },
    });
    await answerOf(adminApi.revertSetting, { cookie, params: { changeId: data.id } });
    const activity = await answerOf(adminApi.listAdminActivity, {
      cookie,
      query: { admin: root.userId, verb: "changeSetting", subject: "LIMIT_ACCESS" },
    });
    expect(activity.data).toHaveLength(2);
    expect(activity.data).toContainEqual(
      expect.objectContaining({ before: { value: null }, after: { value: "77" } }),
    );
  });

  test("reads how the gateway is, without its secrets", async () => {
    const { cookie } = await adminCookie();
    engine.setNow(new Date());
    const { data } = await answerOf(adminApi.describeSystem, { cookie });
    engine.setNow(testNow);
    expect(data.readiness.ready).toBe(true);
    expect(JSON.stringify(data)).not.toContain(engine.env.DATABASE_URL);
  });

  test("the last admin keeps the role", async () => {
    await engine.db.user.updateMany({ where: { role: "admin" }, data: { role: "user" } });
    const { root, cookie } = await adminCookie();
    const sent = { cookie, params: { userId: root.userId } };
    const tries = [
      await ask(adminApi.changeRole, { ...sent, body: { role: "user" } }),
      await ask(adminApi.suspendUser, sent),
      await ask(adminApi.deleteUser, sent),
    ];
    expect(tries.map(({ status }) => status)).toEqual([400, 400, 400]);
  });
});
