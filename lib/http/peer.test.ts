import { describe, expect, test, vi } from "vitest";
import { installEngine } from "@/lib/engine/engine";
import { createLog } from "@/lib/engine/log";
import { newId } from "@/lib/engine/random";
import { agentDid } from "@/lib/protocol/did";
import { mintConnectionToken } from "@/lib/services/tokens/connection-token";
import { ask, signedInCookie } from "@/tests/support/dashboard-api";
import { clientOf, testEngine, testNow, tokenClient } from "@/tests/support/harness";
import { giveToken, mintAgent, mintKeyPair, mintOwner } from "@/tests/support/personas";
import { call, profilePath, type Reply } from "@/tests/support/wire";
import { ownerApi } from "./api/tables";
import { peerHeader, peerHeaderValue, peerOf } from "./peer";

// Protocol 7: what fails to authenticate is charged to its network peer.
const engine = await testEngine({ PEER_LIMIT: "3" });
const { did } = await mintOwner(engine, { policies: [{}] });
const request = { method: "GET", target: profilePath(did) };
const { client } = await mintAgent(engine);

let lastPeer = 0;
/** An address that no other test uses. */
function newPeer(): string {
  lastPeer++;
  return `203.0.113.${lastPeer}`;
}

function from(peer: string, headers: Record<string, string | null> = {}): Promise<Reply> {
  return call(client, request, { [peerHeader]: peerHeaderValue(peer), ...headers });
}

function failFrom(peer: string): Promise<Reply> {
  return from(peer, { Authorization: null });
}

describe("a peer whose requests fail to authenticate", () => {
  test("is told its standing, and is refused with PROF005 and Retry-After at the limit", async () => {
    const peer = newPeer();
    const standings: (string | null)[] = [];
    for (let nth = 0; nth < 3; nth++) {
      const { status, headers } = await failFrom(peer);
      expect(status).toBe(401);
      expect(headers.get("X-RateLimit-Limit")).toBe("3");
      standings.push(headers.get("X-RateLimit-Remaining"));
    }
    expect(standings).toEqual(["2", "1", "0"]);
    const refused = await failFrom(peer);
    expect(refused).toMatchObject({ status: 429, body: { error: { code: "PROF005" } } });
    expect(refused.headers.get("Retry-After")).toBe("60");
  });

  test("is logged at debug beyond its limit, and its valid requests as ever", async () => {
    const lines: { level: number; status: number }[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    installEngine({ ...engine, log: createLog({ level: "debug", destination }) });
    const peer = newPeer();
    for (let nth = 0; nth < 4; nth++) await failFrom(peer);
    await from(peer);
    installEngine(engine);
    const info = 30;
    const debug = 20;
    expect(lines.map(({ level, status }) => [status, level])).toEqual([
      ...Array(3).fill([401, info]),
      [429, debug],
      [200, info],
    ]);
    expect(await engine.metrics.text()).toMatch(/outcome="PROF005"\S* \d/);
  });

  test("beyond its limit still gets verified signatures, valid tokens and sessions through", async () => {
    const peer = newPeer();
    const headers = { [peerHeader]: peerHeaderValue(peer) };
    const [owner, agent] = [await mintOwner(engine), await mintAgent(engine)];
    const { client: token } = await giveToken(engine, { owner, agent });
    const cookie = await signedInCookie(engine, owner);
    for (let nth = 0; nth < 4; nth++) await failFrom(peer);
    const own = { method: "GET", target: "/prof/v1/profile" };
    const params = { did: owner.did };
    expect((await from(peer)).status).toBe(200);
    expect((await call(token, own, headers)).status).toBe(200);
    expect((await ask(ownerApi.listTokens, { cookie, params, headers })).status).toBe(200);
    expect((await failFrom(peer)).status).toBe(429);
  });

  test("beyond its limit is answered 429 for every credential that fails", async () => {
    const peer = newPeer();
    const headers = { [peerHeader]: peerHeaderValue(peer) };
    for (let nth = 0; nth < 3; nth++) await failFrom(peer);
    const impostor = clientOf(engine, { did: (await mintAgent(engine)).did, ...mintKeyPair() });
    const stranger = clientOf(engine, { did: agentDid("local", "nobody"), ...mintKeyPair() });
    const suspended = await mintAgent(engine, { state: "suspended" });
    const replay = { ...request, nonce: newId("nonce") };
    expect((await call(client, replay, headers)).status).toBe(200);
    const params = { did };
    const replies = [
      await call(impostor, request, headers),
      await call(stranger, request, headers),
      await call(suspended.client, request, headers),
      await call(tokenClient(engine, mintConnectionToken().token), request, headers),
      await call(client, replay, headers),
      await call(client, { ...request, ts: "2026-03-01T11:00:00Z" }, headers),
      await ask(ownerApi.listTokens, { params, headers }),
      await ask(ownerApi.listTokens, { params, headers, cookie: "gateway-session=x" }),
    ];
    expect(replies.map(({ status, body }) => [status, body.error?.code])).toEqual(
      replies.map(() => [429, "PROF005"]),
    );
  });

  test.each([
    ["no header", null],
    ["a header without a signature", 'PROF-Signature did="did:prof:agent:local:iris"'],
    ["a token with a typing error", `Bearer profct_${"a".repeat(49)}`],
  ])(
    "beyond its limit is refused without a look for the caller: %s",
    async (_what, Authorization) => {
      const peer = newPeer();
      for (let nth = 0; nth < 3; nth++) await failFrom(peer);
      const query = vi.spyOn(engine.pool, "query");
      expect((await from(peer, { Authorization })).status).toBe(429);
      // The engine asks for its settings now and then.
      const names = query.mock.calls.map(([statement]) => Reflect.get(Object(statement), "name"));
      expect(names.filter((name) => name === "signers" || name === "token-holders")).toEqual([]);
    },
  );

  test("starts again with the next minute", async () => {
    const peer = newPeer();
    for (let nth = 0; nth < 3; nth++) await failFrom(peer);
    expect((await failFrom(peer)).status).toBe(429);
    engine.setNow(new Date(testNow.getTime() + 60_000));
    expect((await failFrom(peer)).status).toBe(401);
    engine.setNow(testNow);
  });

  test.each([
    ["a reused nonce", { nonce: newId("nonce") }],
    ["a timestamp that is off", { ts: "2026-03-01T11:00:00Z" }],
  ])("is charged for %s", async (_name, changed) => {
    const headers = { [peerHeader]: peerHeaderValue(newPeer()) };
    const agent = await mintAgent(engine);
    const replies: Reply[] = [];
    for (let nth = 0; nth < 2; nth++) {
      replies.push(await call(agent.client, { ...request, ...changed }, headers));
    }
    expect(replies[1]?.status).toBe(401);
    expect(replies[1]?.headers.get("X-RateLimit-Limit")).toBe("3");
  });

  test("is charged for a suspended agent", async () => {
    const headers = { [peerHeader]: peerHeaderValue(newPeer()) };
    const suspended = await mintAgent(engine, { state: "suspended" });
    const reply = await call(suspended.client, request, headers);
    expect(reply.status).toBe(403);
    expect(reply.headers.get("X-RateLimit-Remaining")).toBe("2");
  });
});

test("only failed authentication is charged to the peer", async () => {
  const peer = newPeer();
  const headers = { [peerHeader]: peerHeaderValue(peer) };
  for (let nth = 0; nth < 5; nth++) {
    expect((await from(peer)).status).toBe(200);
    const missing = { ...request, target: profilePath("did:prof:user:local:nobody") };
    expect((await call(client, missing, headers)).status).toBe(404);
  }
  expect((await failFrom(peer)).headers.get("X-RateLimit-Remaining")).toBe("2");
});

describe("the peer", () => {
  const proven = (forwarded?: string) =>
    new Headers({
      [peerHeader]: peerHeaderValue("192.0.2.1"),
      ...(forwarded !== undefined && { "X-Forwarded-For": forwarded }),
    });

  test("the socket's address, unless TRUST_PROXY_HOPS says that proxies are ours", () => {
    expect(peerOf(proven("198.51.100.7"), 0)).toBe("192.0.2.1");
    expect(peerOf(proven(), 1)).toBe("192.0.2.1");
  });

  test.each([
    ["198.51.100.7", 1, "198.51.100.7"],
    ["203.0.113.66, 198.51.100.7", 1, "198.51.100.7"],
    ["203.0.113.66, 198.51.100.7, 10.0.0.1", 2, "198.51.100.7"],
    ["198.51.100.7:50123", 1, "198.51.100.7"],
    ["[2001:db8::7]:50123", 1, "2001:db8::7"],
    ["[2001:db8::7]", 1, "2001:db8::7"],
    ["2001:db8::7", 1, "2001:db8::7"],
  ])("X-Forwarded-For: %s with %i proxies of ours is %s", (forwarded, hops, peer) => {
    expect(peerOf(proven(forwarded), hops)).toBe(peer);
  });

  test("nobody, where the header comes without the proof", () => {
    expect(peerOf(new Headers({ [peerHeader]: "guess 192.0.2.1" }), 0)).toBeNull();
    expect(peerOf(new Headers(), 0)).toBeNull();
  });
});
