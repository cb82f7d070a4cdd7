import { describe, expect, test } from "vitest";
import { createEngine, installEngine } from "@/lib/engine/engine";
import { createLog } from "@/lib/engine/log";
import { newId } from "@/lib/engine/random";
import { sweepNonces } from "@/lib/engine/sweep";
import vectors from "@/lib/protocol/vectors/signature.json";
import { clientOf, testEngine, testNow } from "@/tests/support/harness";
import { mintAgent, mintKeyPair, mintOwner } from "@/tests/support/personas";
import { call, profilePath } from "@/tests/support/wire";

// Spec, Authentication 4; Protocol 2: remembered per DID, and claimed only after the signature.
const engine = await testEngine({ LIMIT_PROFILE: "5" });
const { did } = await mintOwner(engine, { policies: [{}] });
const target = profilePath(did);

function fresh() {
  return { method: "GET", target, nonce: newId("nonce") };
}

const reused = { status: 401, body: { success: false, error: { code: "PROF008" } } };

describe("401 PROF008", () => {
  test("for the same request twice", async () => {
    const { client } = await mintAgent(engine);
    const signed = await client.signedRequest(fresh());
    expect((await client.send(signed)).status).toBe(200);
    const again = await client.send(signed);
    expect({ status: again.status, body: await again.json() }).toMatchObject(reused);
  });

  test("for another request under the same nonce", async () => {
    const { client } = await mintAgent(engine);
    const request = fresh();
    expect((await call(client, request)).status).toBe(200);
    const other = { ...request, target: `${target}/memories`, ts: "2026-03-01T12:00:01Z" };
    expect(await call(client, other)).toMatchObject(reused);
  });

  test("for all but one of twenty copies at once", async () => {
    const { client } = await mintAgent(engine);
    const signed = await client.signedRequest(fresh());
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.send(signed)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(19).fill(401)]);
  });

  test("on another instance and after a restart", async () => {
    const { client } = await mintAgent(engine);
    const signed = await client.signedRequest(fresh());
    expect((await client.send(signed)).status).toBe(200);
    const second = createEngine(engine.env, createLog({ level: "silent" }));
    installEngine({ ...second, now: engine.now });
    const again = await client.send(signed);
    installEngine(engine);
    await second.stop();
    expect(await again.json()).toMatchObject(reused.body);
  });

  test("uses up nothing of the limit", async () => {
    const { client } = await mintAgent(engine);
    const signed = await client.signedRequest(fresh());
    for (let nth = 0; nth < 9; nth++) await client.send(signed);
    const { headers } = await call(client, fresh());
    expect(headers.get("X-RateLimit-Remaining")).toBe("3");
  });

  test("also for a request that the limit had refused: it is signed again with a new nonce", async () => {
    const { client } = await mintAgent(engine);
    for (let nth = 0; nth < 5; nth++) await call(client, fresh());
    const request = fresh();
    expect((await call(client, request)).status).toBe(429);
    expect(await call(client, request)).toMatchObject(reused);
  });
});

describe("a nonce stays free", () => {
  test("when a stranger used it under the agent's DID without its key", async () => {
    const agent = await mintAgent(engine);
    const request = fresh();
    const stranger = clientOf(engine, { did: agent.did, ...mintKeyPair() });
    expect((await call(stranger, request)).status).toBe(401);
    expect((await call(agent.client, request)).status).toBe(200);
  });

  test("for every other DID", async () => {
    const request = fresh();
    for (const { client } of [await mintAgent(engine), await mintAgent(engine)]) {
      expect((await call(client, request)).status).toBe(200);
    }
  });
});

describe("a nonce is kept", () => {
  test("until its ts can no longer be accepted, and an hour more", async () => {
    const { did: agentDid, client } = await mintAgent(engine);
    const request = { ...fresh(), ts: "2026-03-01T12:04:00Z" };
    await call(client, request);
    const [kept] = await engine.db.nonce.findMany({ where: { did: agentDid } });
    const expiresAt = new Date("2026-03-01T13:09:00Z");
    expect(kept).toMatchObject({ did: agentDid, nonce: request.nonce, expiresAt });
    await sweepNonces(engine.db, new Date(expiresAt.getTime() - 1));
    expect(await engine.db.nonce.count({ where: { did: agentDid } })).toBe(1);
    expect(await sweepNonces(engine.db, expiresAt)).toBeGreaterThan(0);
    engine.setNow(expiresAt);
    const reply = await call(client, request);
    engine.setNow(testNow);
    expect(reply.body.error?.code).toBe("PROF007");
  });
});

describe("nonces", () => {
  test.each(vectors.nonces.valid)("$description", async ({ nonce }) => {
    const { client } = await mintAgent(engine);
    expect((await call(client, { ...fresh(), nonce })).status).toBe(200);
  });

  test.each(vectors.nonces.invalid.filter(({ nonce }) => /^[\x20-\xff]*$/.test(nonce)))(
    "not $description: PROF001",
    async ({ nonce }) => {
      const { client } = await mintAgent(engine);
      const reply = await call(client, { ...fresh(), nonce });
      expect(reply).toMatchObject({ status: 401, body: { error: { code: "PROF001" } } });
    },
  );
});
