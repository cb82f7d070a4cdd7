import { beforeEach, describe, expect, test } from "vitest";
import { testEngine, testNow, tokenClient } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  givePolicy,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { issueToken, revokeToken } from "../tokens/tokens";
import { decideConsent, findConsent, listPendingConsents } from "./consents";
import { revokeAgent } from "./revoke-agent";

const engine = await testEngine({ LIMIT_ACCESS: "1000", LIMIT_PROFILE: "1000" });
const scopes = ["prof:interests", "prof:health"];
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  agent = await mintAgent(engine);
  await giveMemory(engine, owner.profileId);
  await giveMemory(engine, owner.profileId, { category: "prof:health", content: "canary" });
});

function ask() {
  const purpose = { type: "personalization", retention: "session_only" };
  return agent.client.requestAccess({ did: owner.did, scopes, purpose });
}

async function askAndFind(): Promise<string> {
  await expect(ask()).rejects.toMatchObject({ code: "PROF004" });
  const [request] = await listPendingConsents(signedIn(engine, owner), owner.did);
  return request?.id ?? "";
}

function decide(requestId: string, granted: string[], choice: "once" | "until_revoked" = "once") {
  const ctx = signedIn(engine, owner);
  return decideConsent(ctx, { did: owner.did, requestId, scopes: granted, choice });
}

async function readable(): Promise<string[]> {
  return Object.keys((await agent.client.getProfile({ did: owner.did })).data.memories);
}

function hours(count: number): Date {
  return new Date(testNow.getTime() + count * 3_600_000);
}

describe("consent", () => {
  test("opens just what was granted, to just that agent, with the next request", async () => {
    await decide(await askAndFind(), ["prof:interests"]);
    expect(await readable()).toEqual(["prof:interests"]);
    const other = await mintAgent(engine);
    const { data } = await other.client.getProfile({ did: owner.did });
    expect(data.memories).toEqual({});
  });

  test("leaves one event of the owner's in the log", async () => {
    const requestId = await askAndFind();
    await decide(requestId, ["prof:interests"]);
    const events = await eventsOf(engine, owner.profileId);
    expect(events.filter(({ verb }) => verb === "decideConsent")).toEqual([
      expect.objectContaining({
        actor: "owner",
        actorId: owner.did,
        subjectId: requestId,
        granted: ["prof:interests"],
        denied: ["prof:health"],
      }),
    ]);
  });

  test("given once is read for 15 minutes, and a receipt asked for in between ends with it", async () => {
    await decide(await askAndFind(), ["prof:interests"]);
    engine.setNow(hours(0.2));
    expect(await readable()).toEqual(["prof:interests"]);
    expect((await ask()).data.expiresAt).toBe(hours(0.25).toISOString());
    engine.setNow(hours(0.25));
    expect(await readable()).toEqual([]);
    await expect(ask()).rejects.toMatchObject({ code: "PROF004" });
  });

  test("given until revoked answers the next request for access without asking again", async () => {
    await decide(await askAndFind(), scopes, "until_revoked");
    engine.setNow(hours(24 * 300));
    expect(await readable()).toEqual([]);
    const { data } = await ask();
    expect(data.grantedScopes).toEqual(scopes);
    expect(await readable()).toEqual(["prof:health", "prof:interests"]);
  });

  test("is decided once, however many decide at once", async () => {
    const requestId = await askAndFind();
    const decisions = await Promise.allSettled(
      Array.from({ length: 8 }, () => decide(requestId, ["prof:interests"])),
    );
    expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const policies = await engine.db.policy.count({ where: { profileId: owner.profileId } });
    expect(policies).toBe(1);
  });

  test("cannot give more than was asked", async () => {
    const requestId = await askAndFind();
    await expect(decide(requestId, ["prof:*"])).rejects.toMatchObject({ code: "PROF006" });
    expect(await readable()).toEqual([]);
    await decide(requestId, ["prof:interests.music"]);
  });

  test("of somebody else's profile is refused, also by its request's id", async () => {
    const requestId = await askAndFind();
    const stranger = await mintOwner(engine);
    const ctx = signedIn(engine, stranger);
    const foreign = { requestId, scopes, choice: "once" as const };
    await expect(decideConsent(ctx, { did: owner.did, ...foreign })).rejects.toMatchObject({
      code: "PROF002",
    });
    await expect(decideConsent(ctx, { did: stranger.did, ...foreign })).rejects.toMatchObject({
      code: "PROF003",
    });
  });
});

describe("a receipt names what its agent may read by now", () => {
  const receipts = () => engine.db.receipt.findMany({ where: { profileId: owner.profileId } });
  const deny = (scope: string) => givePolicy(engine, owner.profileId, { allow: [], deny: [scope] });
  const lowerCeiling = (ceiling: string[]) =>
    engine.db.agent.update({ where: { did: agent.did }, data: { ceiling } });

  test.each([
    ["its ceiling was lowered", () => lowerCeiling(["prof:interests"])],
    ["another rule denies all of a scope", () => deny("prof:health")],
  ])("where %s since it asked", async (_, narrow) => {
    const requestId = await askAndFind();
    await narrow();
    await decide(requestId, scopes);
    expect(await receipts()).toMatchObject([
      { grantedScopes: ["prof:interests"], deniedScopes: ["prof:health"] },
    ]);
    expect(await readable()).toEqual(["prof:interests"]);
  });

  test("and a scope that a rule keeps closed is not granted with the others", async () => {
    const requestId = await askAndFind();
    await deny("prof:health");
    await decide(requestId, scopes, "until_revoked");
    const granted = { grantedScopes: ["prof:interests"] };
    const request = await findConsent(signedIn(engine, owner), { did: owner.did, requestId });
    expect(request).toMatchObject({ status: "granted", ...granted });
    const where = { consentRequestId: requestId };
    expect(await engine.db.policy.findMany({ where })).toMatchObject([
      { allow: granted.grantedScopes },
    ]);
    const events = await eventsOf(engine, owner.profileId);
    expect(events.find(({ verb }) => verb === "decideConsent")).toMatchObject({
      ...{ granted: granted.grantedScopes, denied: ["prof:health"] },
    });
  });

  test("and a grant of which nothing would open is refused, so the request waits on", async () => {
    const requestId = await askAndFind();
    await deny("prof:*");
    await expect(decide(requestId, scopes)).rejects.toMatchObject({ code: "PROF006" });
    expect(await receipts()).toEqual([]);
    expect(await listPendingConsents(signedIn(engine, owner), owner.did)).toHaveLength(1);
  });
});

describe("an agent with ten purposes waiting", () => {
  test("opens no further request, is refused all the same, and may still join one of the ten", async () => {
    const asking = (type: string) =>
      agent.client
        .requestAccess({ did: owner.did, scopes, purpose: { type } })
        .then(() => ({ code: "none", requestId: undefined, state: undefined, message: "" }))
        .catch(({ code, message, details: { consentRequestId: requestId, state } }) => {
          return { code, message, requestId, state };
        });
    const input = [];
    for (let number = 0; number < 11; number++) input.push(await asking(`purpose_${number}`));
    expect(input.every(({ code }) => code === "PROF004")).toBe(true);
    expect(input.filter(({ requestId }) => requestId !== undefined)).toHaveLength(10);
    expect(input[9]).toMatchObject({ state: "waiting" });
    expect(input[10]).toMatchObject({
      state: "ask",
      message: expect.stringContaining("has 10 requests waiting here"),
    });
    expect(await asking("purpose_3")).toMatchObject({ requestId: input[3]?.requestId });
    expect(await listPendingConsents(signedIn(engine, owner), owner.did)).toHaveLength(10);
  });
});

describe("revoking an agent", () => {
  test("ends its receipts, grants, tokens and requests, and the next request is refused", async () => {
    await decide(await askAndFind(), scopes, "until_revoked");
    const ctx = signedIn(engine, owner);
    const did = owner.did;
    const { token } = await issueToken(ctx, {
      did,
      agentDid: agent.did,
      scopes: ["prof:interests"],
      permissions: ["read"],
    });
    const bearer = tokenClient(engine, token);
    expect((await bearer.getOwnProfile({})).status).toBe(200);

    const revoked = await revokeAgent(ctx, { did, agentDid: agent.did });

    expect(revoked).toMatchObject({ receipts: 1, policies: 2, tokens: 1, requests: 0 });
    expect(await readable()).toEqual([]);
    await expect(bearer.getOwnProfile({})).rejects.toMatchObject({ code: "PROF001" });
    const events = await eventsOf(engine, owner.profileId);
    expect(
      events.some(({ verb, subjectId }) => verb === "revokeAgent" && subjectId === agent.did),
    ).toBe(true);
  });

  test("is the owner's alone", async () => {
    const stranger = signedIn(engine, await mintOwner(engine));
    const revoking = revokeAgent(stranger, { did: owner.did, agentDid: agent.did });
    await expect(revoking).rejects.toMatchObject({ code: "PROF002" });
  });
});

describe("a connection token", () => {
  async function issue(permissions: ("read" | "propose")[] = ["read"], days?: number) {
    const input = { did: owner.did, agentDid: agent.did, scopes: ["prof:interests"], permissions };
    return issueToken(signedIn(engine, owner), { ...input, days });
  }

  test("reads its scopes and no more", async () => {
    const { token } = await issue();
    const { data } = await tokenClient(engine, token).getOwnProfile({});
    expect(Object.keys(data.memories)).toEqual(["prof:interests"]);
  });

  test("ends when it is revoked, with its grant", async () => {
    const { id, token } = await issue();
    await revokeToken(signedIn(engine, owner), { did: owner.did, tokenId: id });
    await expect(tokenClient(engine, token).getOwnProfile({})).rejects.toMatchObject({
      code: "PROF001",
    });
    expect(await readable()).toEqual([]);
  });

  test("ends by itself after 30 days", async () => {
    const { token } = await issue();
    engine.setNow(hours(24 * 30));
    await expect(tokenClient(engine, token).getOwnProfile({})).rejects.toMatchObject({
      code: "PROF001",
    });
  });

  test("is in the database only as a hash and its last four characters", async () => {
    const { id, token } = await issue();
    const row = await engine.db.connectionToken.findUniqueOrThrow({ where: { id } });
    expect(row.lastFour).toBe(token.slice(-4));
    const text = JSON.stringify(row, (_name, value) => (value instanceof Uint8Array ? "" : value));
    expect(text).not.toContain(token.slice(7, 40));
  });

  test("tells when it was last used", async () => {
    const { id, token } = await issue();
    await tokenClient(engine, token).getOwnProfile({});
    const row = await engine.db.connectionToken.findUniqueOrThrow({ where: { id } });
    expect(row.lastUsedAt).toEqual(testNow);
  });

  test("is not issued for an agent that is not active", async () => {
    await engine.db.agent.update({ where: { did: agent.did }, data: { state: "pending" } });
    await expect(issue()).rejects.toMatchObject({ code: "PROF006" });
  });
});
