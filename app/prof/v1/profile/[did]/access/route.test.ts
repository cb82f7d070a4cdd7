import { describe, expect, test } from "vitest";
import { gatewayUrl, testEngine, testNow } from "@/tests/support/harness";
import { eventsOf, givePolicy, giveToken, mintAgent, mintOwner } from "@/tests/support/personas";
import { call, profilePath } from "@/tests/support/wire";

const engine = await testEngine();

const purpose = {
  type: "personalization",
  description: "To greet you in your language.",
  legalBasis: "consent",
  retention: "session_only",
};

function receiptsOf(profileId: number) {
  return engine.db.receipt.findMany({ where: { profileId } });
}

function consentRequestsOf(profileId: number) {
  return engine.db.consentRequest.findMany({
    where: { profileId },
    orderBy: { requestedAt: "asc" },
  });
}

describe("200", () => {
  test("data is a receipt: receiptId, grantedScopes, deniedScopes, expiresAt, and for whom and what", async () => {
    const owner = await mintOwner(engine, { policies: [{ allow: ["prof:preferences"] }] });
    const agent = await mintAgent(engine);
    const scopes = ["prof:preferences", "prof:health"];

    const { status, data, meta } = await agent.client.requestAccess({
      did: owner.did,
      scopes,
      purpose,
    });

    expect(status).toBe(200);
    expect(data).toEqual({
      receiptId: expect.stringMatching(/^rcpt_[0-9A-Za-z]{22}$/),
      userDid: owner.did,
      agentDid: agent.did,
      grantedScopes: ["prof:preferences"],
      deniedScopes: ["prof:health"],
      purpose,
      grantedAt: testNow.toISOString(),
      expiresAt: new Date(testNow.getTime() + 86_400_000).toISOString(),
    });
    expect(await receiptsOf(owner.profileId)).toMatchObject([
      {
        id: data.receiptId,
        agentDid: agent.did,
        grantedScopes: ["prof:preferences"],
        deniedScopes: ["prof:health"],
        purposeType: "personalization",
        purposeDescription: purpose.description,
        legalBasis: "consent",
        retention: "session_only",
        revokedAt: null,
      },
    ]);
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({
      actor: "agent",
      actorId: agent.did,
      verb: "requestAccess",
      outcome: "ok",
      asked: scopes,
      granted: ["prof:preferences"],
      denied: ["prof:health"],
      purposeType: "personalization",
      receiptId: data.receiptId,
      requestId: meta.requestId,
    });
  });

  test("a scope without a rule opens one request for the owner", async () => {
    const owner = await mintOwner(engine, {
      policies: [{ allow: ["prof:interests"], deny: ["prof:financial"] }],
    });
    const agent = await mintAgent(engine);
    const { data } = await agent.client.requestAccess({
      did: owner.did,
      scopes: ["prof:interests", "prof:financial", "prof:health"],
      purpose,
    });
    expect(data.deniedScopes).toEqual(["prof:financial", "prof:health"]);
    expect(await consentRequestsOf(owner.profileId)).toMatchObject([
      {
        id: expect.stringMatching(/^creq_[0-9A-Za-z]{22}$/),
        agentDid: agent.did,
        scopes: ["prof:health"],
        purposeType: "personalization",
        status: "pending",
        timesAsked: 1,
      },
    ]);
  });

  test("when all is granted the owner is not asked", async () => {
    const owner = await mintOwner(engine, { policies: [{ allow: ["prof:interests"] }] });
    const agent = await mintAgent(engine);
    await agent.client.requestAccess({
      did: owner.did,
      scopes: ["prof:interests.music"],
      purpose: { type: "support" },
    });
    expect(await consentRequestsOf(owner.profileId)).toEqual([]);
  });

  test("a scope with a denied child is granted as a whole; the child stays shut", async () => {
    const owner = await mintOwner(engine, {
      policies: [{ allow: ["prof:professional"], deny: ["prof:professional.salary"] }],
    });
    const agent = await mintAgent(engine);
    const { data } = await agent.client.requestAccess({
      did: owner.did,
      scopes: ["prof:professional.*"],
      purpose,
    });
    expect(data.grantedScopes).toEqual(["prof:professional.*"]);
  });

  test("by token, as far as the token's scopes reach", async () => {
    const owner = await mintOwner(engine, { policies: [{ allow: ["prof:*"] }] });
    const agent = await mintAgent(engine);
    const { client } = await giveToken(engine, { owner, agent, scopes: ["prof:interests"] });
    const { data } = await client.requestAccess({
      did: owner.did,
      scopes: ["prof:interests", "prof:health"],
      purpose,
    });
    expect(data).toMatchObject({
      agentDid: agent.did,
      grantedScopes: ["prof:interests"],
      deniedScopes: ["prof:health"],
    });
    expect(await consentRequestsOf(owner.profileId)).toEqual([]);
  });

  test("deniedScopes names what is cut out of a granted scope, and the owner is not asked for it", async () => {
    const owner = await mintOwner(engine, {
      policies: [
        { allow: ["prof:*"], deny: ["prof:health.*"] },
        { allow: [], deny: ["prof:financial"] },
      ],
    });
    const agent = await mintAgent(engine);
    const scopes = ["prof:*"];
    const { data } = await agent.client.requestAccess({ did: owner.did, scopes, purpose });
    const deniedScopes = ["prof:financial", "prof:health.*"];
    expect(data).toMatchObject({ grantedScopes: ["prof:*"], deniedScopes });
    expect(await receiptsOf(owner.profileId)).toMatchObject([{ deniedScopes }]);
    expect(await consentRequestsOf(owner.profileId)).toEqual([]);
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({
      granted: ["prof:*"],
      denied: deniedScopes,
      reasons: { "prof:health.*": { rule: "deny" } },
    });
  });

  test("a consent request that is opened beside a granted scope contains no cut-outs", async () => {
    const owner = await mintOwner(engine, {
      policies: [{ allow: ["prof:interests"], deny: ["prof:interests.music"] }],
    });
    const agent = await mintAgent(engine);
    const scopes = ["prof:interests", "prof:episodic"];
    const { data } = await agent.client.requestAccess({ did: owner.did, scopes, purpose });
    expect(data.deniedScopes).toEqual(["prof:episodic", "prof:interests.music"]);
    expect(await consentRequestsOf(owner.profileId)).toMatchObject([{ scopes: ["prof:episodic"] }]);
  });

  test("a repeated scope is answered once", async () => {
    const owner = await mintOwner(engine, { policies: [{}] });
    const agent = await mintAgent(engine);
    const scopes = ["prof:a", "prof:a"];
    const { data } = await agent.client.requestAccess({ did: owner.did, scopes, purpose });
    expect(data.grantedScopes).toEqual(["prof:a"]);
  });
});

describe("400 PROF006", () => {
  test("for the owner, whose profile it is anyway", async () => {
    const owner = await mintOwner(engine);
    const asking = owner.client.requestAccess({ did: owner.did, scopes: ["prof:a"], purpose });
    await expect(asking).rejects.toMatchObject({ status: 400, code: "PROF006" });
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({ actor: "owner", outcome: "PROF006" });
    expect(await receiptsOf(owner.profileId)).toEqual([]);
  });
});

describe("401 PROF001", () => {
  test("without credentials nothing is stored", async () => {
    const owner = await mintOwner(engine, { policies: [{}] });
    const agent = await mintAgent(engine);
    const body = JSON.stringify({ scopes: ["prof:a"], purpose });
    const request = { method: "POST", target: profilePath(owner.did, "/access"), body };
    const reply = await call(agent.client, request, { Authorization: null });
    expect(reply).toMatchObject({ status: 401, body: { error: { code: "PROF001" } } });
    expect(await receiptsOf(owner.profileId)).toEqual([]);
  });
});

describe("403 PROF002", () => {
  test("for another user; the refusal is on record, and no receipt", async () => {
    const owner = await mintOwner(engine, { policies: [{ agentPattern: "did:prof:agent:*:*" }] });
    const other = await mintOwner(engine);
    const asking = other.client.requestAccess({ did: owner.did, scopes: ["prof:a"], purpose });
    await expect(asking).rejects.toMatchObject({ status: 403, code: "PROF002" });
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({ verb: "requestAccess", outcome: "PROF002", asked: ["prof:a"] });
    expect(await receiptsOf(owner.profileId)).toEqual([]);
    expect(await consentRequestsOf(owner.profileId)).toEqual([]);
  });
});

describe("403 PROF004", () => {
  test("when nothing is granted: deniedScopes, consentRequestId and consentUrl, and no receipt", async () => {
    const owner = await mintOwner(engine);
    const agent = await mintAgent(engine);
    const scopes = ["prof:health.*", "prof:episodic"];
    const asking = agent.client.requestAccess({ did: owner.did, scopes, purpose });
    const failure = await asking.catch((error: unknown) => error);
    const [input] = await consentRequestsOf(owner.profileId);
    expect(failure).toMatchObject({
      status: 403,
      code: "PROF004",
      message: expect.stringContaining("prof:health.*"),
      details: {
        deniedScopes: scopes,
        consentRequestId: input?.id,
        consentUrl: `${gatewayUrl}/dashboard/access?request=${input?.id}`,
      },
    });
    expect(input).toMatchObject({ scopes, timesAsked: 1 });
    expect(await receiptsOf(owner.profileId)).toEqual([]);
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({ outcome: "PROF004", denied: scopes, subjectId: input?.id });
  });

  test("a denied scope opens no request", async () => {
    const owner = await mintOwner(engine, { policies: [{ allow: [], deny: ["prof:health"] }] });
    const agent = await mintAgent(engine);
    const asking = agent.client.requestAccess({ did: owner.did, scopes: ["prof:health"], purpose });
    await expect(asking).rejects.toMatchObject({
      code: "PROF004",
      details: { deniedScopes: ["prof:health"] },
    });
    expect(await consentRequestsOf(owner.profileId)).toEqual([]);
  });

  test("a scope beyond the ceiling opens no request", async () => {
    const owner = await mintOwner(engine);
    await givePolicy(engine, owner.profileId, {});
    const { client } = await mintAgent(engine, { ceiling: ["prof:interests"] });
    const asking = client.requestAccess({ did: owner.did, scopes: ["prof:health"], purpose });
    await expect(asking).rejects.toMatchObject({ status: 403, code: "PROF004" });
    expect(await consentRequestsOf(owner.profileId)).toEqual([]);
  });
});

describe("404 PROF003", () => {
  test("for a DID that names no profile", async () => {
    const { client } = await mintAgent(engine);
    const did = "did:prof:user:local:nobody";
    const asking = client.requestAccess({ did, scopes: ["prof:a"], purpose });
    await expect(asking).rejects.toMatchObject({ status: 404, code: "PROF003" });
  });
});
