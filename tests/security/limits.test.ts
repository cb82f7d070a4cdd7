import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import type { Engine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";
import { ownerApi } from "@/lib/http/api/tables";
import { peerHeader, peerHeaderValue } from "@/lib/http/peer";
import type { Client } from "@/lib/protocol/client";
import { agentDid } from "@/lib/protocol/did";
import { addProfile } from "@/lib/services/accounts/new-profile";
import { registerAgent } from "@/lib/services/agents/register";
import { createFrontDoor } from "@/server/front-door/front-door";
import { protocolRoute } from "@/server/front-door/protocol-routes";
import { listen } from "@/server/listen";
import { ask, signedInCookie } from "@/tests/support/dashboard-api";
import { clientOf, configured, testEngine } from "@/tests/support/harness";
import {
  giveKey,
  giveProposal,
  giveToken,
  mintAgent,
  mintKeyPair,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { call, profilePath } from "@/tests/support/wire";
import { registerItself } from "./testing/register-itself";

// Limits that somebody wants to get around, and limits that somebody wants others to run into.
const engine = await testEngine({
  PEER_LIMIT: "5",
  LIMIT_PROFILE: "5",
  LIMIT_SESSION: "5",
  LIMIT_REVIEW: "5",
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
      data: {
        createdAt: engine.now(),
        updatedAt: engine.now(),
        did: `${owner.did}-2`,
        ownerId: owner.userId,
      },
    });
    const statuses: number[] = [];
    for (let nth = 0; nth < 7; nth++) {
      const params = { did: nth % 2 === 0 ? owner.did : other.did };
      const cookie = await signedInCookie(engine, owner);
      statuses.push((await ask(ownerApi.listTokens, { cookie, params })).status);
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
      // One household has a whole /64.
      const from = { [peerHeader]: peerHeaderValue(`2001:db8::${nth + 1}`) };
      statuses.push((await registerItself(engine, undefined, from)).status);
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
  });
});

// Protocol 7: a signature counts by its DID. So what bounds an owner is how many DIDs an account can have.
describe("an owner who signs under several DIDs", () => {
  test("has the limit of a review once for each profile, whichever of its keys signs", async () => {
    const { owner, second } = await mintTwoProfiles();
    const others = clientOf(engine, { did: owner.did, ...(await giveKey(engine, owner.did, 2)) });
    const reviews: Review[] = [];
    for (let nth = 0; nth < 4; nth++) {
      reviews.push(await review(owner.client, owner));
      reviews.push(await review(others, owner));
    }
    expect(reviews).toEqual([[200, 4], [200, 3], [200, 2], [200, 1], [200, 0], ...over(3)]);
    expect(await review(second.client, second)).toEqual([200, 4]);
  });

  test("takes nothing of one profile's limit by signing for another's, which is refused", async () => {
    const { owner, second } = await mintTwoProfiles();
    expect(await review(owner.client, second)).toEqual([403, 4]);
    expect(await review(second.client, second)).toEqual([200, 4]);
    expect(await review(owner.client, owner)).toEqual([200, 3]);
  });

  test("has by script one limit for all of them, apart from what keys sign", async () => {
    const { owner, second } = await mintTwoProfiles();
    const cookie = await signedInCookie(engine, owner);
    for (let nth = 0; nth < 5; nth++) await review(owner.client, owner);
    const statuses: number[] = [];
    for (let nth = 0; nth < 7; nth++) {
      const params = { did: nth % 2 === 0 ? owner.did : second.did };
      statuses.push((await ask(ownerApi.listTokens, { cookie, params })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
  });

  test("has twenty profiles at most, also where many are made at once", async () => {
    const owner = await mintOwner(engine);
    const made = await Promise.allSettled(
      Array.from({ length: 22 }, () => addProfile(signedIn(engine, owner), newProfile())),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(19);
    expect(await engine.db.profile.count({ where: { ownerId: owner.userId } })).toBe(20);
  });
});

describe("a user who registers several agents", () => {
  test("has for each the limit of an agent, and an admin's word is about one of them", async () => {
    const owner = await mintOwner(engine, { policies: [{}] });
    const [one, other] = [await mintAgentOf(owner), await mintAgentOf(owner)];
    const limits = { profile: 2 };
    await engine.db.agent.update({ where: { did: one.did }, data: { limits } });
    expect(await reads(one.client, owner.did, 7)).toEqual([200, 200, ...Array(5).fill(429)]);
    expect(await reads(other.client, owner.did, 7)).toEqual([...Array(5).fill(200), 429, 429]);
  });

  test("has fifty at most, also where many are registered at once", async () => {
    const owner = await mintOwner(engine);
    const { userId: registeredBy } = owner;
    await engine.db.agent.createMany({
      data: Array.from({ length: 48 }, () => ({
        createdAt: engine.now(),
        updatedAt: engine.now(),
        ...{ did: agentDid("local", newId("many")), name: "Many", origin: "user" as const },
        ...{ state: "pending" as const, registeredBy },
      })),
    });
    const made = await Promise.allSettled(Array.from({ length: 4 }, () => mintAgentOf(owner)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await engine.db.agent.count({ where: { registeredBy } })).toBe(50);
  });
});

type Review = [status: number, remaining: number];

/** Of a proposal of this owner's, with what is left of the limit then. */
async function review(signer: Client, owner: Pick<Owner, "did" | "profileId">): Promise<Review> {
  const input = { profileId: owner.profileId, agentDid: agentDid("local", newId("iris")) };
  const { id } = await giveProposal(engine, input);
  const { status, headers } = await call(signer, {
    method: "POST",
    target: profilePath(owner.did, `/proposals/${id}/review`),
    body: '{"action":"reject"}',
  });
  return [status, Number(headers.get("X-RateLimit-Remaining"))];
}

function over(times: number): Review[] {
  return Array.from({ length: times }, () => [429, 0]);
}

async function mintTwoProfiles() {
  const owner = await mintOwner(engine);
  const did = await addProfile(signedIn(engine, owner), newProfile());
  const { id: profileId } = await engine.db.profile.findUniqueOrThrow({ where: { did } });
  const client = clientOf(engine, { did, ...(await giveKey(engine, did)) });
  return { owner, second: { did, profileId, client } };
}

function newProfile() {
  return { namespace: "local", handle: newId("more"), name: "Alice" };
}

async function mintAgentOf(owner: Owner) {
  const did = agentDid("local", newId("theirs"));
  const { privateKey, publicKey } = mintKeyPair();
  const agent = { did, name: "Theirs", publicKey: Buffer.from(publicKey), mode: "open" as const };
  await registerAgent(signedIn(engine, owner), agent);
  return { did, client: clientOf(engine, { did, privateKey }) };
}

async function reads(client: Client, profile: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let nth = 0; nth < times; nth++) {
    statuses.push((await call(client, { method: "GET", target: profilePath(profile) })).status);
  }
  return statuses;
}

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
