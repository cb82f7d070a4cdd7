import { describe, expect, test } from "vitest";
import { createEngine, installEngine } from "@/lib/engine/engine";
import { createLog } from "@/lib/engine/log";
import vectors from "@/lib/protocol/vectors/signature.json";
import { hashSecretToken } from "@/lib/services/accounts/secret-token";
import { mintConnectionToken } from "@/lib/services/tokens/connection-token";
import { testEngine, testNow, tokenClient } from "@/tests/support/harness";
import { giveToken, mintAgent, mintOwner, type TokenGiven } from "@/tests/support/personas";
import { call, profilePath } from "@/tests/support/wire";

// Spec, Authentication 6; Protocol 3.
const engine = await testEngine();
const dayMs = 86_400_000;

async function connected(given: TokenGiven = {}) {
  const owner = await mintOwner(engine, { policies: [{}] });
  const agent = await mintAgent(engine);
  const token = await giveToken(engine, { owner, agent, ...given });
  return { owner, agent, ...token, request: { method: "GET", target: profilePath(owner.did) } };
}

const refused = { status: 401, body: { success: false, error: { code: "PROF001" } } };

describe("accepted", () => {
  test("instead of a signature, the scheme in any case", async () => {
    const { client, token, request } = await connected();
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const reply = await call(client, request, { Authorization: `${scheme} ${token}` });
      expect(reply.status).toBe(200);
    }
  });

  test("as often as one likes: a token has no nonce", async () => {
    const { client, request } = await connected();
    const signed = await client.signedRequest(request);
    const answers = [await client.send(signed), await client.send(signed)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await engine.db.nonce.count()).toBe(0);
  });

  test("until the instant it expires", async () => {
    const { client, request } = await connected({ expiresAt: new Date(testNow.getTime() + dayMs) });
    engine.setNow(new Date(testNow.getTime() + dayMs - 1));
    expect((await call(client, request)).status).toBe(200);
    engine.setNow(new Date(testNow.getTime() + dayMs));
    expect(await call(client, request)).toMatchObject(refused);
    engine.setNow(testNow);
  });
});

describe("401 PROF001", () => {
  test("once it is revoked, with the very next request, by another instance as well", async () => {
    const { id, client, request } = await connected();
    expect((await call(client, request)).status).toBe(200);
    await engine.db.connectionToken.update({ where: { id }, data: { revokedAt: testNow } });
    expect(await call(client, request)).toMatchObject(refused);
    const second = createEngine(engine.env, createLog({ level: "silent" }));
    installEngine({ ...second, now: engine.now });
    const reply = await call(client, request);
    installEngine(engine);
    await second.stop();
    expect(reply).toMatchObject(refused);
  });

  test("when it was never issued", async () => {
    const { request } = await connected();
    const client = tokenClient(engine, mintConnectionToken().token);
    expect(await call(client, request)).toMatchObject(refused);
  });

  test("with a wrong checksum, even if the database knew it", async () => {
    const { id, token, request } = await connected();
    const mistyped = token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");
    const data = { tokenHash: hashSecretToken(mistyped) };
    await engine.db.connectionToken.update({ where: { id }, data });
    expect(await call(tokenClient(engine, mistyped), request)).toMatchObject(refused);
  });

  test("with one character changed, whose checksum then is wrong", async () => {
    const { token, request } = await connected();
    const at = "profct_".length;
    const changed = token.slice(0, at) + (token[at] === "0" ? "1" : "0") + token.slice(at + 1);
    expect(await call(tokenClient(engine, changed), request)).toMatchObject(refused);
  });

  test.each(vectors.tokenHeaders.invalid.filter(({ header }) => header.trim() === header))(
    "for $description",
    async ({ header }) => {
      const { client, request } = await connected();
      expect(await call(client, request, { Authorization: header })).toMatchObject(refused);
    },
  );

  test("while its agent is pending", async () => {
    const { agent, client, request } = await connected();
    const where = { did: agent.did };
    await engine.db.agent.update({ where, data: { state: "pending" } });
    expect(await call(client, request)).toMatchObject(refused);
  });

  test("is the answer to every one of these, word for word", async () => {
    const { client, request } = await connected();
    const unknown = tokenClient(engine, mintConnectionToken().token);
    const answers = [
      await call(unknown, request),
      await call(client, request, { Authorization: "Bearer nonsense" }),
      await call(client, request, { Authorization: null }),
    ];
    const [first, ...others] = answers.map(({ body }) => body.error);
    for (const other of others) expect(other).toEqual(first);
  });
});

describe("403 PROF002", () => {
  test("while its agent is suspended", async () => {
    const { agent, client, request } = await connected();
    const where = { did: agent.did };
    await engine.db.agent.update({ where, data: { state: "suspended" } });
    expect(await call(client, request)).toMatchObject({
      status: 403,
      body: { error: { code: "PROF002" } },
    });
  });

  test("with another profile's DID in the path, on every endpoint", async () => {
    const { client } = await connected({ permissions: ["read", "propose"] });
    const { did } = await mintOwner(engine, { policies: [{ permissions: ["read", "propose"] }] });
    const calls = [
      client.getProfile({ did }),
      client.requestAccess({ did, scopes: ["prof:a"], purpose: { type: "support" } }),
      client.listMemories({ did }),
      client.proposeMemory({ did, content: "x", category: "prof:a" }),
      client.listProposals({ did }),
      client.reviewProposal({ did, proposalId: "prop_1", action: "approve" }),
    ];
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ reason: { status: 403, code: "PROF002" } });
    }
  });
});

test("the database holds a hash and the last four characters, never the token", async () => {
  const { id, token } = await connected();
  const row = await engine.db.connectionToken.findUniqueOrThrow({ where: { id } });
  expect(row.lastFour).toBe(token.slice(-4));
  expect(row.tokenHash).toHaveLength(32);
  expect(JSON.stringify(row)).not.toContain(token.slice(7, 20));
  expect(token).toMatch(/^profct_[0-9A-Za-z]{49}$/);
});
