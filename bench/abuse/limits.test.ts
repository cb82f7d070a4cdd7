import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { POST as register } from "@/app/api/agents/route";
import type { Engine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";
import { peerHeader, peerHeaderValue } from "@/lib/http/peer";
import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { agentDid } from "@/lib/protocol/did";
import { ask, signedInCookie } from "@/lib/testing/dashboard-api";
import { clientOf, configured, testEngine } from "@/lib/testing/harness";
import { giveToken, mintAgent, mintKeyPair, mintOwner } from "@/lib/testing/personas";
import { call, profilePath } from "@/lib/testing/wire";
import { createFrontDoor } from "@/server/front-door/front-door";
import { protocolRoute } from "@/server/front-door/protocol-routes";
import { listen } from "@/server/listen";

// Limits that somebody wants to get around, and limits that somebody wants others to run into.
const engine = await testEngine({
  PEER_LIMIT: "5",
  LIMIT_PROFILE: "5",
  LIMIT_SESSION: "5",
  LIMIT_REGISTER: "5",
});
const { did } = await mintOwner(engine, { policies: [{}] });
const target = profilePath(did);

async function open(at: Engine): Promise<number> {
  const next = async () => {
    throw new Error("nobody asks for a page here");
  };
  const server = createFrontDoor({ engine: at, protocolRoute, next });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server, "127.0.0.1", 0);
}

const door = await open(engine);

async function answer(headers: Record<string, string>, port = door): Promise<number> {
  const asking = request({ port, host: "127.0.0.1", path: target, headers, agent: false }).end();
  const response = await new Promise<import("node:http").IncomingMessage>((resolve, reject) => {
    asking.once("response", resolve).once("error", reject);
  });
  await text(response);
  return response.statusCode ?? 0;
}

/** Everything by which some gateway or other believes a client's word on where it comes from. */
function forged(nth: number): Record<string, string> {
  const address = `198.51.100.${nth}`;
  const names = [
    "X-Forwarded-For",
    "X-Real-IP",
    "X-Client-IP",
    "X-Cluster-Client-IP",
    "True-Client-IP",
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, address])),
    "CF-Connecting-IP": address,
    "X-Forwarded": address,
    "X-Gateway-Peer": `x ${address}`,
    "X-Gateway-Proxied": "1",
    Forwarded: `for=${address}`,
    Via: `1.1 ${address}`,
  };
}

/** In which no failure of before counts. */
function nextMinute(): void {
  engine.setNow(new Date(engine.now().getTime() + 60_000));
}

describe("a client that writes another address into each request", () => {
  test("is one peer where no proxy is ours", async () => {
    nextMinute();
    const statuses: number[] = [];
    for (let nth = 0; nth < 8; nth++) statuses.push(await answer(forged(nth)));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  });

  test("is one peer where one proxy is ours, which adds the address that it saw", async () => {
    nextMinute();
    const behind = await open(configured(engine, { TRUST_PROXY_HOPS: 1 }));
    const statuses: number[] = [];
    for (let nth = 0; nth < 8; nth++) {
      const headers = { ...forged(nth), "X-Forwarded-For": `198.51.100.${nth}, 203.0.113.5` };
      statuses.push(await answer(headers, behind));
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  });

  test("has one limit as an agent, from wherever it comes", async () => {
    nextMinute();
    const { client } = await mintAgent(engine);
    const statuses: number[] = [];
    for (let nth = 0; nth < 7; nth++) {
      const peer = peerHeaderValue(`198.51.100.${nth}`);
      const { status } = await call(
        client,
        { method: "GET", target },
        { ...forged(nth), [peerHeader]: peer },
      );
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });
});

describe("many names of one owner", () => {
  test("profiles: all of a user's scripts have one limit", async () => {
    const owner = await mintOwner(engine);
    const other = await engine.db.profile.create({
      data: { did: `${owner.did}-2`, ownerId: owner.userId },
    });
    const statuses: number[] = [];
    for (let nth = 0; nth < 7; nth++) {
      const params = { did: nth % 2 === 0 ? owner.did : other.did };
      const cookie = await signedInCookie(engine, owner);
      statuses.push((await ask(sessionEndpoints.listTokens, { cookie, params })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  test("tokens: all of an agent's for one profile have one limit", async () => {
    const owner = await mintOwner(engine, { policies: [{}] });
    const agent = await mintAgent(engine);
    const statuses: number[] = [];
    for (let nth = 0; nth < 7; nth++) {
      const { client } = await giveToken(engine, { owner, agent });
      statuses.push((await call(client, { method: "GET", target: "/prof/v1/profile" })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  test("agents: those that register themselves from one network are counted together", async () => {
    nextMinute();
    const statuses: number[] = [];
    for (let nth = 0; nth < 7; nth++) {
      const agent = agentDid("local", newId("self"));
      const { privateKey, publicKey } = mintKeyPair();
      const signed = await clientOf(engine, { did: agent, privateKey }).signedRequest({
        method: "POST",
        target: "/api/agents",
        body: JSON.stringify({
          did: agent,
          name: "Self",
          publicKey: Buffer.from(publicKey).toString("base64"),
        }),
      });
      // One household has a whole /64.
      const headers = { ...signed.headers, [peerHeader]: peerHeaderValue(`2001:db8::${nth + 1}`) };
      statuses.push((await register(new Request(signed.url, { ...signed, headers }))).status);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
  });
});

describe("a stranger who wants to keep an agent out", () => {
  test("by failing under its DID takes nothing of its limit, and is refused soon", async () => {
    nextMinute();
    const agent = await mintAgent(engine);
    const stranger = clientOf(engine, { did: agent.did, ...mintKeyPair() });
    const from = (address: string) => ({ [peerHeader]: peerHeaderValue(address) });
    const statuses: number[] = [];
    for (let nth = 0; nth < 20; nth++) {
      const { status } = await call(stranger, { method: "GET", target }, from("203.0.113.66"));
      statuses.push(status);
    }
    expect(statuses).toEqual([...Array(5).fill(401), ...Array(15).fill(429)]);
    const own = await call(agent.client, { method: "GET", target }, from("192.0.2.7"));
    expect(own.status).toBe(200);
    expect(own.headers.get("X-RateLimit-Remaining")).toBe("4");
  });

  test("by proposing until a hundred wait leaves every other agent its place", async () => {
    const [loud, quiet] = [await mintAgent(engine), await mintAgent(engine)];
    const owner = await mintOwner(engine, { policies: [{ permissions: ["read", "propose"] }] });
    await engine.db.proposal.createMany({
      data: Array.from({ length: 100 }, (_, nth) => ({
        id: newId("prop"),
        profileId: owner.profileId,
        agentDid: loud.did,
        content: `Loud ${nth}.`,
        contentHash: new Uint8Array(Buffer.alloc(32, nth)),
        category: "prof:interests",
        confidence: 0.5,
        proposedAt: engine.now(),
        expiresAt: new Date(engine.now().getTime() + 86_400_000),
      })),
    });
    const propose = ({ client }: typeof loud) =>
      call(client, {
        method: "POST",
        target: profilePath(owner.did, "/memories/propose"),
        body: '{"content":"Quiet.","category":"prof:interests"}',
      });
    expect((await propose(loud)).status).toBe(429);
    expect((await propose(quiet)).status).toBe(201);
  });
});
