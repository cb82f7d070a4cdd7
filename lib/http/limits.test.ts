import { describe, expect, test } from "vitest";
import { limitWindowSeconds } from "@/lib/protocol/endpoints";
import { clientOf, testEngine, testNow } from "@/tests/support/harness";
import {
  giveToken,
  type Minted,
  mintAgent,
  mintKeyPair,
  mintOwner,
} from "@/tests/support/personas";
import { call, profilePath, type Reply } from "@/tests/support/wire";

// Spec, Limits; Protocol 7.
const engine = await testEngine();

// Of a profile that is nobody's: a request that fails after authentication counts all the same.
const path = (rest = "") => profilePath("did:prof:user:local:nobody", rest);
const post = (target: string) => ({ method: "POST", target, body: "{}" });
const get = (target: string) => ({ method: "GET", target });

type Request = { method: string; target: string; body?: string };

function remaining({ headers }: Reply): number {
  return Number(headers.get("X-RateLimit-Remaining"));
}

function sendMany({ client }: Pick<Minted, "client">, request: Request, count: number) {
  return Promise.all(Array.from({ length: count }, () => call(client, request)));
}

describe("each row of the table, by the hour and caller", () => {
  test.each<[string, number, Request]>([
    ["GET /profile", 100, get(path())],
    ["POST /access", 30, post(path("/access"))],
    ["POST /propose", 20, post(path("/memories/propose"))],
    ["POST /review", 50, post(path("/proposals/prop_1/review"))],
    ["List Memories", 100, get(path("/memories"))],
    ["List Proposals", 100, get(path("/proposals"))],
  ])(
    "%s: exactly %i are let in of more at once, and the headers say so",
    async (_name, limit, request) => {
      const replies = await sendMany(await mintAgent(engine), request, limit + 5);
      const admitted = replies.filter(({ status }) => status !== 429);
      const refused = replies.filter(({ status }) => status === 429);
      expect(admitted).toHaveLength(limit);
      expect(admitted.map(remaining).sort((a, b) => b - a)).toEqual(
        Array.from({ length: limit }, (_, index) => limit - 1 - index),
      );
      for (const { headers, body } of refused) {
        expect(body.error).toMatchObject({ code: "PROF005", details: { limit } });
        expect(headers.get("X-RateLimit-Remaining")).toBe("0");
      }
      for (const { headers } of replies)
        expect(headers.get("X-RateLimit-Limit")).toBe(String(limit));
    },
  );

  test("the window is an hour, which Retry-After and X-RateLimit-Reset tell", async () => {
    expect(limitWindowSeconds).toBe(3_600);
    const agent = await mintAgent(engine, { limits: { profile: 1 } });
    const [clock] = await engine.db.$queryRaw<{ now: Date }[]>`SELECT now()`;
    const now = clock?.now ?? testNow;
    engine.setNow(now);
    await call(agent.client, get(path()));
    const { headers, body } = await call(agent.client, get(path()));
    engine.setNow(testNow);
    const seconds = Number(headers.get("Retry-After"));
    expect(seconds).toBeGreaterThanOrEqual(3_600);
    expect(seconds).toBeLessThan(3_660);
    // Both are rounded up: so long before the reset is this second or the next.
    const before = Number(headers.get("X-RateLimit-Reset")) - seconds;
    expect([before, before + 1]).toContain(Math.ceil(now.getTime() / 1_000));
    expect(body.error?.details).toMatchObject({ retryAfterSeconds: seconds });
  });
});

describe("what limits count together", () => {
  test("every class stands for itself", async () => {
    const { client } = await mintAgent(engine, { limits: { profile: 1 } });
    expect((await call(client, get(path()))).status).toBe(404);
    expect((await call(client, get(path()))).status).toBe(429);
    expect((await call(client, get(path("/memories")))).status).toBe(404);
  });

  test("every agent stands for itself, whatever profiles it reads", async () => {
    const [one, other] = [await mintAgent(engine), await mintAgent(engine)];
    const { did } = await mintOwner(engine);
    await call(one.client, get(path()));
    expect(remaining(await call(one.client, get(profilePath(did))))).toBe(98);
    expect(remaining(await call(other.client, get(path())))).toBe(99);
  });

  test("a token counts by its agent and profile, apart from the agent's signature", async () => {
    const [owner, agent] = [await mintOwner(engine), await mintAgent(engine)];
    const first = await giveToken(engine, { owner, agent });
    const second = await giveToken(engine, { owner, agent });
    const elsewhere = await giveToken(engine, { owner: await mintOwner(engine), agent });
    const request = get("/prof/v1/profile");
    expect(remaining(await call(first.client, request))).toBe(99);
    expect(remaining(await call(second.client, request))).toBe(98);
    expect(remaining(await call(elsewhere.client, request))).toBe(99);
    expect(remaining(await call(agent.client, get(path())))).toBe(99);
  });

  test("the variants without a DID count with the endpoints they are variants of", async () => {
    const [owner, agent] = [await mintOwner(engine), await mintAgent(engine)];
    const { client } = await giveToken(engine, { owner, agent });
    expect(remaining(await call(client, get("/prof/v1/profile")))).toBe(99);
    expect(remaining(await call(client, get(profilePath(owner.did))))).toBe(98);
    expect(remaining(await call(client, post("/prof/v1/profile/memories/propose")))).toBe(19);
    const propose = post(profilePath(owner.did, "/memories/propose"));
    expect(remaining(await call(client, propose))).toBe(18);
  });

  test("the owner's key is counted like an agent's", async () => {
    const { client, did } = await mintOwner(engine);
    expect(remaining(await call(client, get(profilePath(did))))).toBe(99);
    expect(remaining(await call(client, get(profilePath(did))))).toBe(98);
  });
});

describe("an admin's override for one agent", () => {
  test("raises or lowers its limit in that class only", async () => {
    const agent = await mintAgent(engine, { limits: { access: 40, profile: 2 } });
    const access = await call(agent.client, post(path("/access")));
    expect(access.headers.get("X-RateLimit-Limit")).toBe("40");
    const replies = await sendMany(agent, get(path()), 4);
    expect(replies.filter(({ status }) => status === 404)).toHaveLength(2);
    const memories = await call(agent.client, get(path("/memories")));
    expect(memories.headers.get("X-RateLimit-Limit")).toBe("100");
  });

  test("holds for its tokens as well", async () => {
    const agent = await mintAgent(engine, { limits: { profile: 3 } });
    const { client } = await giveToken(engine, { owner: await mintOwner(engine), agent });
    const { headers } = await call(client, get("/prof/v1/profile"));
    expect(headers.get("X-RateLimit-Limit")).toBe("3");
  });
});

describe("failed authentication", () => {
  test("is never charged to the DID that it claims", async () => {
    const agent = await mintAgent(engine);
    const impostor = clientOf(engine, { did: agent.did, ...mintKeyPair() });
    await sendMany({ client: impostor }, get(path()), 10);
    expect(remaining(await call(agent.client, get(path())))).toBe(99);
  });
});

test("beyond the limit nothing is read, changed or written down", async () => {
  const owner = await mintOwner(engine, { policies: [{ permissions: ["propose"] }] });
  const agent = await mintAgent(engine, { limits: { propose: 1 } });
  const propose = (content: string) =>
    agent.client.proposeMemory({ did: owner.did, content, category: "prof:a" });
  await propose("One.");
  await expect(propose("Two.")).rejects.toMatchObject({ status: 429, code: "PROF005" });
  const where = { profileId: owner.profileId };
  expect(await engine.db.proposal.count({ where })).toBe(1);
  expect(await engine.db.accessEvent.count({ where })).toBe(1);
});
