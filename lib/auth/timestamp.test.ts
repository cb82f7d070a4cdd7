import { describe, expect, test } from "vitest";
import { decodePath } from "@/lib/protocol/signature";
import vectors from "@/lib/protocol/vectors/signature.json";
import { clientOf, testEngine, testNow } from "@/tests/support/harness";
import { mintAgent, mintKeyPair, mintOwner } from "@/tests/support/personas";
import { call, profilePath } from "@/tests/support/wire";
import { authenticate } from "./authenticate";

// Spec, Authentication 3; Protocol 2: 300 seconds either way, and one form only.
const engine = await testEngine();
const { did } = await mintOwner(engine, { policies: [{}] });
const request = { method: "GET", target: profilePath(did) };
const at = (ms: number) => new Date(testNow.getTime() + ms).toISOString();

const invalid = {
  status: 401,
  body: {
    success: false,
    error: { code: "PROF007", details: { serverTime: testNow.toISOString() } },
  },
};

describe("accepted", () => {
  test.each([-300_000, -299_999, 0, 299_999, 300_000])("%i ms from the clock", async (ms) => {
    const { client } = await mintAgent(engine);
    expect((await call(client, { ...request, ts: at(ms) })).status).toBe(200);
  });

  test.each(["2026-03-01T12:00:00Z", "2026-03-01T12:00:00.5Z", "2026-03-01T12:00:00.123456789Z"])(
    "%s",
    async (ts) => {
      const { client } = await mintAgent(engine);
      expect((await call(client, { ...request, ts })).status).toBe(200);
    },
  );
});

describe("401 PROF007, and details.serverTime tells the gateway's clock", () => {
  test.each([-300_001, -86_400_000, 300_001, 86_400_000])("%i ms from the clock", async (ms) => {
    const { client } = await mintAgent(engine);
    expect(await call(client, { ...request, ts: at(ms) })).toMatchObject(invalid);
  });

  test.each(vectors.timestamps.invalid.filter(({ ts }) => /^[\x20-\x7e]+$/.test(ts)))(
    "$description",
    async ({ ts }) => {
      const { client } = await mintAgent(engine);
      expect(await call(client, { ...request, ts })).toMatchObject(invalid);
    },
  );

  test("comes before the key: a stranger learns nothing else", async () => {
    const stranger = { did: "did:prof:agent:local:stranger", ...mintKeyPair() };
    const reply = await call(clientOf(engine, stranger), { ...request, ts: at(-300_001) });
    expect(reply).toMatchObject(invalid);
  });

  test("uses up no nonce and no limit", async () => {
    const agent = await mintAgent(engine);
    await call(agent.client, { ...request, ts: at(-300_001), nonce: "once-only" });
    const reply = await call(agent.client, { ...request, nonce: "once-only" });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("X-RateLimit-Remaining")).toBe("99");
  });
});

test("SIGNATURE_SKEW_SECONDS sets how far it may be off", async () => {
  const { client } = await mintAgent(engine);
  const narrow = { ...engine, env: { ...engine.env, SIGNATURE_SKEW_SECONDS: 10 } };
  const present = async (ms: number) => {
    const { headers } = await client.signedRequest({ ...request, ts: at(ms) });
    return authenticate({
      method: request.method,
      segments: decodePath(request.target) ?? [],
      query: [],
      engine: narrow,
      now: testNow,
      authority: "gateway.test",
      authorization: headers.Authorization ?? null,
      body: new Uint8Array(),
    });
  };
  expect((await present(10_000)).nonce?.until.toISOString()).toBe(at(20_000 + 3_600_000));
  await expect(present(10_001)).rejects.toMatchObject({ code: "PROF007" });
});
