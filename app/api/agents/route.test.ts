import { describe, expect, test } from "vitest";
import { GET as getDidDocument } from "@/app/api/did/[did]/route";
import { installEngine } from "@/lib/engine/engine";
import type { Env } from "@/lib/engine/env";
import { newId } from "@/lib/engine/random";
import { peerHeader, peerHeaderValue } from "@/lib/http/peer";
import { agentDid, type Did } from "@/lib/protocol/did";
import vectors from "@/lib/protocol/vectors/signature.json";
import { hashDid } from "@/lib/services/accounts/new-profile";
import { registerAgent } from "@/lib/services/agents/register";
import { clientOf, configured, gatewayUrl, testEngine, testNow } from "@/tests/support/harness";
import {
  type KeyPair,
  mintAgent,
  mintKeyPair,
  mintOwner,
  revokeKey,
  signedIn,
} from "@/tests/support/personas";
import { issuePaths, type Reply, replyOf } from "@/tests/support/wire";
import { POST } from "./route";

const engine = await testEngine({ LIMIT_REGISTER: "10000" });

interface Sent {
  did?: Did;
  keys?: KeyPair;
  body?: Record<string, unknown>;
  text?: string;
  headers?: Record<string, string>;
  nonce?: string;
  ts?: string;
}

async function register({ did = newDid(), keys = mintKeyPair(), ...sent }: Sent = {}) {
  const { headers, body = {}, text, nonce, ts } = sent;
  const publicKey = Buffer.from(keys.publicKey).toString("base64");
  const { privateKey } = keys;
  const signed = await clientOf(engine, { did, privateKey }).signedRequest({
    method: "POST",
    target: "/api/agents",
    body: text ?? JSON.stringify({ did, name: "Iris", publicKey, ...body }),
    nonce,
    ts,
  });
  const request = new Request(signed.url, {
    ...signed,
    headers: { ...signed.headers, ...headers },
  });
  return replyOf(await POST(request));
}

function newDid(): Did {
  return agentDid("local", newId("iris"));
}

function configure(settings: Partial<Env>): void {
  installEngine(configured(engine, settings));
}

function codeOf({ status, body }: Reply) {
  return [status, body.error?.code];
}

const rowOf = (did: Did) => engine.db.agent.findUnique({ where: { did } });
const from = (address: string) => ({ [peerHeader]: peerHeaderValue(address) });

test("the name of a program that connects by the address is registered by nobody with a key", async () => {
  configure({ AGENT_REGISTRATION: "open" });
  const did = agentDid("local", "oauth-7555f9201071d30019d85cbc1a1c84e9");
  const reply = await register({ did });
  expect(codeOf(reply)).toEqual([400, "PROF006"]);
  expect(issuePaths(reply)).toEqual(["did"]);
  expect(await rowOf(did)).toBeNull();
});

describe("201", () => {
  test.each([
    ["open", "active"],
    ["approval", "pending"],
  ] as const)("AGENT_REGISTRATION=%s: the agent is %s", async (mode, status) => {
    configure({ AGENT_REGISTRATION: mode });
    const did = newDid();
    const keys = mintKeyPair();
    const reply = await register({
      did,
      keys,
      body: { name: " Iris ", description: "Plans trips.", operator: "Example Travel" },
    });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ success: true, data: { did, status } });
    expect(reply.body.data).toEqual({ did, status });
    expect(reply.headers.get("X-RateLimit-Limit")).toBe("10000");
    expect(await rowOf(did)).toMatchObject({
      name: "Iris",
      description: "Plans trips.",
      operator: "Example Travel",
      origin: "itself",
      state: status,
      verified: false,
      ceiling: ["prof:*"],
      createdAt: testNow,
    });
    const held = await engine.db.key.findMany({ where: { did } });
    expect(held).toMatchObject([{ publicKey: keys.publicKey, slot: 1 }]);
  });

  test("an open gateway answers its very next request, one with approval does not", async () => {
    const owner = await mintOwner(engine, { policies: [{}] });
    for (const [mode, status] of [
      ["open", 200],
      ["approval", 401],
    ] as const) {
      configure({ AGENT_REGISTRATION: mode });
      const did = newDid();
      const keys = mintKeyPair();
      await register({ did, keys });
      const { privateKey } = keys;
      const client = clientOf(engine, { did, privateKey });
      const read = client.getProfile({ did: owner.did }).catch((error) => error);
      expect((await read).status).toBe(status);
    }
  });

  test.each([
    ["SPKI PEM", vectors.key.publicKeySpkiPem],
    ["JWK", vectors.key.publicKeyJwk],
    ["JWK as text", JSON.stringify(vectors.key.publicKeyJwk)],
    ["multibase", vectors.key.publicKeyMultibase],
    ["did:key", vectors.key.publicKeyDidKey],
    ["base64", vectors.key.publicKeyBase64],
  ])("the key as %s", async (_form, publicKey) => {
    const keys = {
      privateKey: vectors.key.privateKeyJwk,
      publicKey: new Uint8Array(Buffer.from(vectors.key.publicKeyHex, "hex")),
    };
    expect((await register({ keys, body: { publicKey } })).status).toBe(201);
  });
});

test("the authority is the Host that the client wrote, whatever URL the route is given", async () => {
  const [did, keys] = [newDid(), mintKeyPair()];
  const publicKey = Buffer.from(keys.publicKey).toString("base64");
  const signed = await clientOf(engine, { did, privateKey: keys.privateKey }).signedRequest({
    method: "POST",
    target: "/api/agents",
    body: JSON.stringify({ did, name: "Iris", publicKey }),
  });
  for (const [Host, status] of [
    ["other.test", 401],
    ["gateway.test", 201],
  ] as const) {
    const headers = { ...signed.headers, Host };
    const request = new Request("http://localhost:3000/api/agents", { ...signed, headers });
    expect((await POST(request)).status).toBe(status);
  }
});

describe("200", () => {
  test("a repeated registration with the same key answers with its state and changes nothing", async () => {
    configure({ AGENT_REGISTRATION: "approval" });
    const [did, keys] = [newDid(), mintKeyPair()];
    await register({ did, keys });
    await engine.db.agent.update({ where: { did }, data: { state: "active" } });
    const again = await register({ did, keys, body: { name: "Another name" } });
    expect([again.status, again.body.data]).toEqual([200, { did, status: "active" }]);
    expect(await rowOf(did)).toMatchObject({ name: "Iris", state: "active" });
    expect(await engine.db.key.count({ where: { did } })).toBe(1);
  });
});

describe("403 PROF002", () => {
  test("a registered DID with another key", async () => {
    const agent = await mintAgent(engine);
    const reply = await register({ did: agent.did });
    expect(codeOf(reply)).toEqual([403, "PROF002"]);
    expect(await engine.db.key.count({ where: { did: agent.did } })).toBe(1);
  });

  test("a DID that a user registered with this very key, unproven: the agent learns that it is theirs", async () => {
    const keys = mintKeyPair();
    const [did, publicKey] = [newDid(), Buffer.from(keys.publicKey)];
    const [owner, other] = [await mintOwner(engine), await mintOwner(engine)];
    const draft = { did, publicKey, name: "Iris", mode: "open" } as const;
    await registerAgent(signedIn(engine, owner), draft);
    const reply = await register({ did, keys });
    expect(codeOf(reply)).toEqual([403, "PROF002"]);
    expect(reply.body.error?.message).toContain("A user of this gateway registered this DID");
    await expect(registerAgent(signedIn(engine, other), draft)).rejects.toMatchObject({
      code: "PROF002",
    });
    expect(await registerAgent(signedIn(engine, owner), draft)).toMatchObject({ isNew: false });
  });

  test("a registered DID with a key of it that was revoked", async () => {
    const agent = await mintAgent(engine);
    await revokeKey(engine, agent);
    expect(codeOf(await register({ did: agent.did, keys: agent }))).toEqual([403, "PROF002"]);
  });

  test("a DID that was retired, in the same words as a DID that is taken", async () => {
    const retired = newDid();
    await engine.db.retiredDid.create({ data: { retiredAt: testNow, didHash: hashDid(retired) } });
    const reply = await register({ did: retired });
    expect(codeOf(reply)).toEqual([403, "PROF002"]);
    expect(await rowOf(retired)).toBeNull();
    const taken = await register({ did: (await mintAgent(engine)).did });
    expect(reply.body.error?.message).toBe(taken.body.error?.message);
  });

  test("AGENT_REGISTRATION=closed", async () => {
    configure({ AGENT_REGISTRATION: "closed" });
    const did = newDid();
    expect(codeOf(await register({ did }))).toEqual([403, "PROF002"]);
    expect(await rowOf(did)).toBeNull();
    configure({});
  });

  test("AGENT_REGISTRATION=closed comes before the body and the signature, not before the header", async () => {
    configure({ AGENT_REGISTRATION: "closed" });
    const publicKey = Buffer.from(mintKeyPair().publicKey).toString("base64");
    for (const sent of [{ text: "{" }, { body: { publicKey } }, { body: { publicKey: 7 } }]) {
      expect(codeOf(await register(sent))).toEqual([403, "PROF002"]);
    }
    const headers = { Authorization: "PROF-Signature" };
    expect(codeOf(await register({ headers }))).toEqual([401, "PROF001"]);
    configure({});
  });

  test("a text of 60 KB that looks like a PEM holds nobody up", async () => {
    const publicKey = `-----BEGIN PUBLIC KEY-----${" ".repeat(60_000)}!`;
    const began = performance.now();
    expect(codeOf(await register({ body: { publicKey } }))).toEqual([400, "PROF006"]);
    expect(performance.now() - began).toBeLessThan(1_000);
  });

  test("one of twenty concurrent registrations of a DID succeeds", async () => {
    const did = newDid();
    const replies = await Promise.all(Array.from({ length: 20 }, () => register({ did })));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(19).fill(403)]);
    expect(await engine.db.key.count({ where: { did } })).toBe(1);
  });
});

describe("401", () => {
  test("PROF001: signed by another key than the one in the body", async () => {
    const publicKey = Buffer.from(mintKeyPair().publicKey).toString("base64");
    const did = newDid();
    expect(codeOf(await register({ did, body: { publicKey } }))).toEqual([401, "PROF001"]);
    expect(await rowOf(did)).toBeNull();
  });

  test.each([
    ["no header", ""],
    ["a token", `Bearer profct_${"a".repeat(49)}`],
    ["a header without a signature", 'PROF-Signature did="did:prof:agent:local:iris"'],
  ])("PROF001: %s", async (_what, Authorization) => {
    expect(codeOf(await register({ headers: { Authorization } }))).toEqual([401, "PROF001"]);
  });

  test("PROF007: a timestamp of yesterday", async () => {
    const reply = await register({ ts: "2026-02-28T12:00:00Z" });
    expect(codeOf(reply)).toEqual([401, "PROF007"]);
    expect(reply.body.error?.details?.serverTime).toBe(testNow.toISOString());
  });

  test("PROF008: the same nonce twice; a stranger cannot use up another key's", async () => {
    const [did, keys, nonce] = [newDid(), mintKeyPair(), newId("nonce")];
    expect((await register({ did, nonce })).status).toBe(201);
    await engine.db.key.deleteMany({ where: { did } });
    await engine.db.agent.delete({ where: { did } });
    expect((await register({ did, keys, nonce })).status).toBe(201);
    expect(codeOf(await register({ did, keys, nonce }))).toEqual([401, "PROF008"]);
  });
});

describe("400 PROF006", () => {
  test.each([
    ["did", { did: "did:prof:user:local:alice" }],
    ["did", { did: "did:prof:agent:local:somebody-else" }],
    ["did", { did: 7 }],
    ["name", { name: "   " }],
    ["name", { name: "n".repeat(101) }],
    ["publicKey", { publicKey: undefined }],
    ["publicKey", { publicKey: "AAAA" }],
    ["publicKey", { publicKey: Buffer.alloc(32).toString("base64") }],
    ["description", { description: "d".repeat(501) }],
    ["operator", { operator: ["Example"] }],
  ])("body.%s", async (member, body) => {
    const reply = await register({ body });
    expect(codeOf(reply)).toEqual([400, "PROF006"]);
    expect(issuePaths(reply)).toEqual([`body.${member}`]);
  });

  test.each([
    ["no JSON", "{"],
    ["a member twice", '{"did":"a","did":"b"}'],
    ["a prototype", '{"__proto__":{}}'],
    ["more than 64 KiB", JSON.stringify({ name: "n".repeat(65_536) })],
  ])("%s", async (_what, text) => {
    expect(codeOf(await register({ text }))).toEqual([400, "PROF006"]);
  });

  test("a body of another type", async () => {
    const reply = await register({ headers: { "Content-Type": "text/plain" } });
    expect(issuePaths(reply)).toEqual(["headers.Content-Type"]);
  });
});

describe("429 PROF005", () => {
  test("LIMIT_REGISTER an hour and peer; the next one is counted for itself", async () => {
    configure({ LIMIT_REGISTER: 2 });
    const headers = from("203.0.113.7");
    const statuses = [];
    for (let count = 0; count < 3; count++) statuses.push((await register({ headers })).status);
    expect(statuses).toEqual([201, 201, 429]);
    expect((await register({ headers: from("203.0.113.8") })).status).toBe(201);
    configure({});
  });

  test("LIMIT_REGISTER counts tries, and comes before the body and the signature", async () => {
    configure({ LIMIT_REGISTER: 2 });
    const headers = from("203.0.113.11");
    const publicKey = Buffer.from(mintKeyPair().publicKey).toString("base64");
    expect(codeOf(await register({ headers, text: "{" }))).toEqual([400, "PROF006"]);
    expect(codeOf(await register({ headers, body: { publicKey } }))).toEqual([401, "PROF001"]);
    expect(codeOf(await register({ headers, text: "{" }))).toEqual([429, "PROF005"]);
    expect(codeOf(await register({ headers, body: { publicKey } }))).toEqual([429, "PROF005"]);
    expect(codeOf(await register({ headers }))).toEqual([429, "PROF005"]);
    configure({});
  });

  test("the form of the header comes before LIMIT_REGISTER, and takes nothing of it", async () => {
    configure({ LIMIT_REGISTER: 1 });
    const headers = from("203.0.113.12");
    const malformed = { ...headers, Authorization: "PROF-Signature" };
    expect(codeOf(await register({ headers: malformed }))).toEqual([401, "PROF001"]);
    expect(codeOf(await register({ headers, ts: "2026-02-28T12:00:00Z" }))).toEqual([
      401,
      "PROF007",
    ]);
    expect((await register({ headers })).status).toBe(201);
    expect(codeOf(await register({ headers: malformed }))).toEqual([401, "PROF001"]);
    configure({});
  });

  test("PEER_LIMIT failures a minute, bad bodies included", async () => {
    const headers = from("203.0.113.9");
    const { limit } = engine.peerGuard.standing("203.0.113.9", testNow);
    for (let count = 0; count < limit; count++) engine.peerGuard.charge("203.0.113.9", testNow);
    expect(codeOf(await register({ headers }))).toEqual([429, "PROF005"]);
    const before = engine.peerGuard.standing("203.0.113.10", testNow).remaining;
    await register({ headers: from("203.0.113.10"), body: { publicKey: 7 } });
    expect(engine.peerGuard.standing("203.0.113.10", testNow).remaining).toBe(before - 1);
  });
});

describe("GET /api/did/{did}", () => {
  const documentOf = (did: string) =>
    getDidDocument(new Request(`${gatewayUrl}/api/did/${encodeURIComponent(did)}`));

  test("200: the active keys of an active agent, as Multikey and as JsonWebKey", async () => {
    configure({ AGENT_REGISTRATION: "open" });
    const keys = {
      privateKey: vectors.key.privateKeyJwk,
      publicKey: new Uint8Array(Buffer.from(vectors.key.publicKeyHex, "hex")),
    };
    const did = newDid();
    await register({ did, keys });
    const response = await documentOf(did);
    const id = `${did}#${vectors.key.publicKeyMultibase}`;
    expect(response.headers.get("Content-Type")).toBe("application/did+ld+json");
    expect(await response.json()).toEqual({
      "@context": [
        "https://www.w3.org/ns/did/v1",
        "https://w3id.org/security/multikey/v1",
        "https://w3id.org/security/jwk/v1",
      ],
      id: did,
      verificationMethod: [
        {
          id,
          type: "Multikey",
          controller: did,
          publicKeyMultibase: vectors.key.publicKeyMultibase,
        },
        {
          id: `${id}-jwk`,
          type: "JsonWebKey",
          controller: did,
          publicKeyJwk: vectors.key.publicKeyJwk,
        },
      ],
      authentication: [id, `${id}-jwk`],
      assertionMethod: [id, `${id}-jwk`],
    });
  });

  test("404 PROF003: unknown, pending, suspended, without an active key, a user, no DID", async () => {
    const pending = await mintAgent(engine, { state: "pending" });
    const suspended = await mintAgent(engine, { state: "suspended" });
    const keyless = await mintAgent(engine);
    await revokeKey(engine, keyless);
    const owner = await mintOwner(engine);
    const dids = [pending, suspended, keyless, owner].map(({ did }) => did);
    for (const did of [...dids, newDid(), "iris", "did:prof:agent:local:%2F"]) {
      const reply = await replyOf(await documentOf(did));
      expect([did, ...codeOf(reply)]).toEqual([did, 404, "PROF003"]);
    }
  });
});
