import { describe, expect, test } from "vitest";
import { POST as register } from "@/app/api/agents/route";
import { jwkOf, multibaseOf } from "@/lib/auth/public-key";
import { newId } from "@/lib/engine/random";
import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { agentDid } from "@/lib/protocol/did";
import vectors from "@/lib/protocol/vectors/signature.json";
import { ask, signedInCookie } from "@/lib/testing/dashboard-api";
import { clientOf, testEngine } from "@/lib/testing/harness";
import { mintAdmin, mintAgent, mintKeyPair } from "@/lib/testing/personas";
import { type Reply, replyOf } from "@/lib/testing/wire";

// Keys under which one signature holds for every text, and keys that can be written in two ways, at every
// door that takes a key, in every notation.
const engine = await testEngine({
  PEER_LIMIT: "1000000",
  LIMIT_REGISTER: "1000000",
  AGENT_REGISTRATION: "open",
});
const cookie = await signedInCookie(engine, await mintAdmin(engine));
const { publicKeys } = vectors;
const weak = [...publicKeys.smallOrder, ...publicKeys.nonCanonical, ...publicKeys.notOnCurve];

const notations: [name: string, write: (raw: Buffer) => unknown][] = [
  ["base64", (raw) => raw.toString("base64")],
  ["JWK", jwkOf],
  ["did:key", (raw) => `did:key:${multibaseOf(raw)}`],
  ["multibase", multibaseOf],
  ["PEM", pemOf],
];

function pemOf(raw: Buffer): string {
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw]);
  return `-----BEGIN PUBLIC KEY-----\n${der.toString("base64")}\n-----END PUBLIC KEY-----\n`;
}

const agent = await mintAgent(engine);
const did = () => agentDid("local", newId("weak"));

const doors: [name: string, send: (publicKey: unknown) => Promise<Reply>][] = [
  [
    "an agent that registers itself",
    async (publicKey) => {
      const own = did();
      const signed = await clientOf(engine, { did: own, ...mintKeyPair() }).signedRequest({
        method: "POST",
        target: "/api/agents",
        body: JSON.stringify({ did: own, name: "Weak", publicKey }),
      });
      return replyOf(await register(new Request(signed.url, signed)));
    },
  ],
  [
    "an admin who registers an agent",
    (publicKey) => {
      const body = { did: did(), name: "Weak", publicKey };
      return ask(adminEndpoints.registerAgent, { cookie, body });
    },
  ],
  [
    "an admin who adds a key",
    (publicKey) =>
      ask(adminEndpoints.addKey, { cookie, params: { agentDid: agent.did }, body: { publicKey } }),
  ],
];

describe.each(doors)("%s", (_door, send) => {
  test.each(notations)("is refused every weak key, written as %s", async (_notation, write) => {
    const before = await engine.db.key.count();
    const taken: string[] = [];
    for (const { description, hex } of weak) {
      const { status, body } = await send(write(Buffer.from(hex, "hex")));
      const answer = `${status} ${body.error?.code}`;
      if (answer !== "400 PROF006") taken.push(`${description}: ${answer}`);
    }
    expect(taken).toEqual([]);
    expect(await engine.db.key.count()).toBe(before);
  });
});

test("A signature that holds for every text under a weak key lets nobody in, even if it were stored", async () => {
  const { publicKeyHex, signature } = vectors.forgery;
  const publicKey = new Uint8Array(Buffer.from(publicKeyHex, "hex"));
  const { did: owner, client } = await mintAgent(engine);
  await engine.db.key.create({ data: { id: newId("key"), did: owner, publicKey, slot: 2 } });
  const request = { method: "GET", target: `/prof/v1/profile/${owner}` };
  const signed = await client.signedRequest(request);
  const Authorization = signed.headers.Authorization?.replace(/sig="[^"]*"/, `sig="${signature}"`);
  const reply = await client.send({
    ...signed,
    headers: { ...signed.headers, Authorization: `${Authorization}` },
  });
  expect(reply.status).toBe(401);
});
