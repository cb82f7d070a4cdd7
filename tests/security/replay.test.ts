import { describe, expect, test } from "vitest";
import { POST as register } from "@/app/api/agents/route";
import { newId } from "@/lib/engine/random";
import { sweepNonces } from "@/lib/engine/sweep";
import { createClient, type SignedRequest } from "@/lib/protocol/client";
import { clientOf, gatewayUrl, inProcess, testEngine, testNow } from "@/tests/support/harness";
import { type Delivered, type Instance, startInstance } from "@/tests/support/instances";
import { type Minted, mintAgent, mintKeyPair, mintOwner } from "@/tests/support/personas";
import { call, profilePath, type Reply, replyOf } from "@/tests/support/wire";

// A request that was signed once: sent again, sent elsewhere, sent after a restart, and when clocks jump.
const engine = await testEngine();
const { DATABASE_URL = "" } = engine.env;
const { did } = await mintOwner(engine, { policies: [{}] });
const target = profilePath(did);

const one = "https://one.example";
const other = "https://other.example:8443";

/** Two gateways that know the same agents, which is as near to one another as two can be. */
function start(PUBLIC_URL: string): Promise<Instance> {
  return startInstance({ DATABASE_URL, PUBLIC_URL });
}

function signedFor(baseUrl: string, { did, privateKey }: Minted): Promise<SignedRequest> {
  const client = createClient({ did, privateKey, baseUrl });
  return client.signedRequest({ method: "GET", target });
}

function codeOf({ status, body }: Delivered): string {
  const { error } = JSON.parse(body);
  return error === undefined ? `${status}` : `${status} ${error.code}`;
}

describe("a request that was signed for one gateway", () => {
  test("is refused by another under whatever Host, and is still good where it belongs", async () => {
    const agent = await mintAgent(engine);
    const [here, elsewhere] = await Promise.all([start(one), start(other)]);
    const signed = await signedFor(one, agent);
    for (const host of ["one.example", "other.example:8443", "127.0.0.1", "one.example:443"]) {
      expect([host, codeOf(await elsewhere.deliver(signed, host))]).toEqual([host, "401 PROF001"]);
    }
    expect(await engine.db.nonce.count({ where: { did: agent.did } })).toBe(0);
    expect(codeOf(await here.deliver(signed))).toBe("200");
    expect(codeOf(await elsewhere.deliver(await signedFor(other, agent)))).toBe("200");
    await Promise.all([here.end(), elsewhere.end()]);
  });

  test("is refused a second time, also after kill -9 and after an orderly restart", async () => {
    const agent = await mintAgent(engine);
    const [early, late] = [await signedFor(one, agent), await signedFor(one, agent)];
    let gateway = await start(one);
    expect(codeOf(await gateway.deliver(early))).toBe("200");
    expect(codeOf(await gateway.deliver(early))).toBe("401 PROF008");
    await gateway.end("kill -9");
    gateway = await start(one);
    expect(codeOf(await gateway.deliver(early))).toBe("401 PROF008");
    expect(codeOf(await gateway.deliver(late))).toBe("200");
    await gateway.end();
    gateway = await start(one);
    for (const signed of [early, late]) {
      expect(codeOf(await gateway.deliver(signed))).toBe("401 PROF008");
    }
    await gateway.end();
  });
});

describe("a stranger uses up no nonce of the agent's", () => {
  type Input = { method: string; target: string; nonce: string };
  const elsewhere = profilePath(did, "/memories");

  test.each<[how: string, send: (agent: Minted, input: Input) => Promise<Reply>]>([
    [
      "with a signature by a key of their own",
      (agent, input) => call(clientOf(engine, { did: agent.did, ...mintKeyPair() }), input),
    ],
    [
      "with the agent's signature for something else",
      async ({ client }, input) => {
        const { headers } = await client.signedRequest({ ...input, target: elsewhere });
        return replyOf(await inProcess(`${gatewayUrl}${target}`, { headers }));
      },
    ],
    [
      "with the agent's signature for another gateway",
      async (agent, input) => {
        const client = createClient({ ...agent, baseUrl: one, now: engine.now });
        const { headers } = await client.signedRequest(input);
        return replyOf(await inProcess(`${gatewayUrl}${target}`, { headers }));
      },
    ],
    [
      "with the agent's signature of an hour ago",
      ({ client }, input) => call(client, { ...input, ts: "2026-03-01T11:00:00Z" }),
    ],
    [
      "by registering the agent's DID with a key of their own",
      async (agent, input) => {
        const { privateKey, publicKey } = mintKeyPair();
        const thief = clientOf(engine, { did: agent.did, privateKey });
        const key = Buffer.from(publicKey).toString("base64");
        const body = JSON.stringify({ did: agent.did, name: "Iris", publicKey: key });
        const target = "/api/agents";
        const signed = await thief.signedRequest({ ...input, method: "POST", target, body });
        return replyOf(await register(new Request(signed.url, signed)));
      },
    ],
  ])("%s", async (_how, send) => {
    const agent = await mintAgent(engine);
    const input = { method: "GET", target, nonce: newId("nonce") };
    expect([401, 403]).toContain((await send(agent, input)).status);
    expect(await engine.db.nonce.count({ where: { did: agent.did } })).toBe(0);
    expect((await call(agent.client, input)).status).toBe(200);
  });
});

describe("when a clock jumps", () => {
  const minutes = (count: number) => new Date(testNow.getTime() + count * 60_000);

  test.each([
    [4, 0],
    [4, -4],
    [64, 0],
    [64, 4],
    [64, -0.9],
  ])(
    "to %d minutes, where old nonces go, and back to %d: the same request stays used",
    async (to, back) => {
      const agent = await mintAgent(engine);
      const request = { method: "GET", target, nonce: newId("nonce") };
      expect((await call(agent.client, request)).status).toBe(200);
      engine.setNow(minutes(to));
      await sweepNonces(engine.db, engine.now());
      engine.setNow(minutes(back));
      const again = await call(agent.client, { ...request, ts: testNow.toISOString() });
      engine.setNow(testNow);
      expect(again.body.error?.code).toBe("PROF008");
    },
  );

  test("out of the window, the answer tells the gateway's clock, and the client can go by it", async () => {
    const agent = await mintAgent(engine);
    engine.setNow(minutes(6));
    const refused = await call(agent.client, { method: "GET", target, ts: testNow.toISOString() });
    expect(refused.body.error).toMatchObject({
      code: "PROF007",
      details: { serverTime: minutes(6).toISOString() },
    });
    const ts = String(refused.body.error?.details?.serverTime);
    expect((await call(agent.client, { method: "GET", target, ts })).status).toBe(200);
    engine.setNow(testNow);
  });
});
