import { describe, expect, test } from "vitest";
import { createEngine, installEngine } from "@/lib/engine/engine";
import { createLog } from "@/lib/engine/log";
import { newId } from "@/lib/engine/random";
import { formatSignature } from "@/lib/protocol/authorization-header";
import vectors from "@/lib/protocol/vectors/signature.json";
import { clientOf, testEngine, testNow } from "@/tests/support/harness";
import { giveKey, type KeyPair, mintAgent, mintOwner, revokeKey } from "@/tests/support/personas";
import { call, profilePath } from "@/tests/support/wire";

// Protocol 1: several keys a DID; rotation is add, then revoke.
const engine = await testEngine();
const { did: alice } = await mintOwner(engine, { policies: [{}] });
const request = { method: "GET", target: profilePath(alice) };

async function statusFor(did: string, { privateKey }: KeyPair): Promise<number> {
  return (await call(clientOf(engine, { did, privateKey }), request)).status;
}

describe("rotation", () => {
  test("both keys work until the old one is revoked; then the new one alone does", async () => {
    const agent = await mintAgent(engine);
    const next = await giveKey(engine, agent.did, 2);
    expect([await statusFor(agent.did, agent), await statusFor(agent.did, next)]).toEqual([
      200, 200,
    ]);
    await revokeKey(engine, agent);
    expect([await statusFor(agent.did, agent), await statusFor(agent.did, next)]).toEqual([
      401, 200,
    ]);
  });

  test("five keys may be active at once, and no sixth", async () => {
    const agent = await mintAgent(engine);
    for (const slot of [2, 3, 4, 5]) {
      expect(await statusFor(agent.did, await giveKey(engine, agent.did, slot))).toBe(200);
    }
    await expect(giveKey(engine, agent.did, 6)).rejects.toThrow();
    await expect(giveKey(engine, agent.did, 5)).rejects.toThrow();
  });

  test("an owner's key works and ends in the same way", async () => {
    const owner = await mintOwner(engine);
    expect((await owner.client.getProfile({ did: owner.did })).status).toBe(200);
    await revokeKey(engine, owner);
    const reading = owner.client.getProfile({ did: owner.did });
    await expect(reading).rejects.toMatchObject({ status: 401, code: "PROF001" });
  });
});

describe("a revoked key", () => {
  test("is refused with the very next request, by another instance as well", async () => {
    const agent = await mintAgent(engine);
    const second = createEngine(engine.env, createLog({ level: "silent" }));
    const onSecond = async () => {
      installEngine({ ...second, now: engine.now });
      const status = await statusFor(agent.did, agent);
      installEngine(engine);
      return status;
    };
    expect([await statusFor(agent.did, agent), await onSecond()]).toEqual([200, 200]);
    await revokeKey(engine, agent);
    expect([await onSecond(), await statusFor(agent.did, agent)]).toEqual([401, 401]);
    await second.stop();
  });

  test("of one DID says nothing of the same key under another", async () => {
    const agent = await mintAgent(engine);
    const other = await mintAgent(engine);
    const { publicKey } = agent;
    await engine.db.key.create({
      data: { createdAt: testNow, id: newId("key"), did: other.did, publicKey, slot: 2 },
    });
    await engine.db.key.updateMany({
      where: { did: agent.did },
      data: { slot: null, revokedAt: testNow },
    });
    expect(await statusFor(agent.did, agent)).toBe(401);
    expect(await statusFor(other.did, agent)).toBe(200);
  });
});

describe("a key of one DID", () => {
  test("signs for no other", async () => {
    const [one, other] = [await mintAgent(engine), await mintAgent(engine)];
    expect(await statusFor(other.did, one)).toBe(401);
  });
});

describe("a key of small order", () => {
  test("is refused at verification, should one ever be stored", async () => {
    const { did, client } = await mintAgent(engine);
    const publicKey = new Uint8Array(Buffer.from(vectors.forgery.publicKeyHex, "hex"));
    await engine.db.key.updateMany({ where: { did }, data: { publicKey } });
    const ts = testNow.toISOString();
    const { signature: sig } = vectors.forgery;
    const Authorization = formatSignature({ did, sig, ts, nonce: newId("nonce") });
    const reply = await call(client, request, { Authorization });
    expect(reply).toMatchObject({ status: 401, body: { error: { code: "PROF001" } } });
  });
});
