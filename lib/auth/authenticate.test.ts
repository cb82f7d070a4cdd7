import { beforeAll, describe, expect, test, vi } from "vitest";
import { targetOf } from "@/lib/http/protocol-request";
import { formatSignature } from "@/lib/protocol/authorization-header";
import { agentDid } from "@/lib/protocol/did";
import vectors from "@/lib/protocol/vectors/signature.json";
import { clientOf, testEngine, testNow } from "@/tests/support/harness";
import { giveKey, mintAgent, mintKeyPair, mintOwner, revokeKey } from "@/tests/support/personas";
import { call, profilePath, type Reply } from "@/tests/support/wire";
import { authenticate } from "./authenticate";
import { verifier } from "./keys/verification";
import { forgetSigner } from "./signed-request";

const engine = await testEngine();
const { did: alice } = await mintOwner(engine, { policies: [{}] });
const request = { method: "GET", target: profilePath(alice) };

/** The whole answer, but for what is new in every one. */
function answerOf({ status, headers, body }: Reply) {
  const { "x-request-id": _id, ...same } = Object.fromEntries(headers);
  return { status, headers: same, error: body.error };
}

const refused = { status: 401, body: { success: false, error: { code: "PROF001" } } };

describe("one and the same 401 PROF001", () => {
  test("for an unknown DID, a pending agent, a wrong key, a revoked one, none, and no credentials", async () => {
    const stranger = { did: agentDid("local", "stranger"), ...mintKeyPair() };
    const pending = await mintAgent(engine, { state: "pending" });
    const agent = await mintAgent(engine);
    const revoked = await mintAgent(engine);
    await revokeKey(engine, revoked);
    const keyless = await mintAgent(engine);
    await engine.db.key.deleteMany({ where: { did: keyless.did } });
    const replies = [
      await call(clientOf(engine, stranger), request),
      await call(pending.client, request),
      await call(clientOf(engine, { ...agent, ...mintKeyPair() }), request),
      await call(revoked.client, request),
      await call(keyless.client, request),
      await call(agent.client, request, { Authorization: null }),
      await call(agent.client, request, { Authorization: "Basic aXJpczppcmlz" }),
      await call(clientOf(engine, { ...stranger, did: alice }), request),
    ];
    const [first, ...others] = replies.map(answerOf);
    expect(first).toMatchObject({
      status: 401,
      headers: { "www-authenticate": "PROF-Signature, Bearer" },
    });
    for (const other of others) expect(other).toEqual(first);
  });

  test("after five verifications, however many keys the DID has", async () => {
    const known = await mintAgent(engine);
    const full = await mintAgent(engine);
    for (const slot of [2, 3, 4, 5]) await giveKey(engine, full.did, slot);
    const pending = await mintAgent(engine, { state: "pending" });
    const dids = [known.did, full.did, pending.did, alice, agentDid("local", "stranger")];
    const verifies = vi.spyOn(verifier, "verifies");
    for (const did of dids) {
      verifies.mockClear();
      expect(await call(clientOf(engine, { did, ...mintKeyPair() }), request)).toMatchObject(
        refused,
      );
      expect([did, verifies.mock.calls.length]).toEqual([did, 5]);
    }
  });

  test("for the published key that stands in for keys a DID does not have", async () => {
    // RFC 8032, 7.1, test 1.
    const x = Buffer.from(
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      "hex",
    );
    const d = Buffer.from(
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "hex",
    );
    const jwk = {
      kty: "OKP",
      crv: "Ed25519",
      x: x.toString("base64url"),
      d: d.toString("base64url"),
    };
    for (const did of [(await mintAgent(engine)).did, agentDid("local", "stranger")]) {
      expect(await call(clientOf(engine, { did, privateKey: jwk }), request)).toMatchObject(
        refused,
      );
    }
  });

  test("for a wrong key of a suspended agent, too: only its own key learns of the suspension", async () => {
    const agent = await mintAgent(engine, { state: "suspended" });
    const impostor = clientOf(engine, { did: agent.did, ...mintKeyPair() });
    expect(await call(impostor, request)).toMatchObject(refused);
  });

  test("for a user DID whose account is gone", async () => {
    const owner = await mintOwner(engine);
    await engine.db.user.delete({ where: { id: owner.userId } });
    expect(await call(owner.client, request)).toMatchObject(refused);
  });
});

describe("403 PROF002", () => {
  test("for a suspended agent that signs with its own key", async () => {
    const { client } = await mintAgent(engine, { state: "suspended" });
    expect(await call(client, request)).toMatchObject({
      status: 403,
      body: { error: { code: "PROF002" } },
    });
  });

  test("for a suspended user", async () => {
    const owner = await mintOwner(engine);
    await engine.db.user.update({ where: { id: owner.userId }, data: { state: "suspended" } });
    expect(await call(owner.client, { ...request, target: profilePath(owner.did) })).toMatchObject({
      status: 403,
      body: { error: { code: "PROF002" } },
    });
  });

  test("from the very next request on, and no longer than the suspension", async () => {
    const { did, client } = await mintAgent(engine);
    const statuses: number[] = [];
    for (const state of ["active", "suspended", "active"] as const) {
      await engine.db.agent.update({ where: { did }, data: { state } });
      statuses.push((await call(client, request)).status);
    }
    expect(statuses).toEqual([200, 403, 200]);
  });
});

describe("the header's four parts: did, sig, ts and nonce", () => {
  const sig = Buffer.alloc(64).toString("base64");
  const parts = {
    did: "did:prof:agent:local:iris",
    sig,
    ts: testNow.toISOString(),
    nonce: "n".repeat(8),
  };

  test.each(["did", "sig", "ts", "nonce"] as const)("without %s: PROF001", async (name) => {
    const agent = await mintAgent(engine);
    const { [name]: _left, ...rest } = { ...parts, did: agent.did };
    const fields = Object.entries(rest).map(([key, value]) => `${key}="${value}"`);
    const header = `PROF-Signature ${fields.join(", ")}`;
    expect(await call(agent.client, request, { Authorization: header })).toMatchObject(refused);
  });

  test.each(vectors.signatureHeaders.invalid.filter(({ header }) => isSendable(header)))(
    "$description: PROF001",
    async ({ header }) => {
      const { client } = await mintAgent(engine);
      expect(await call(client, request, { Authorization: header })).toMatchObject(refused);
    },
  );

  test.each([
    ["in another order", ["nonce", "ts", "sig", "did"], ", "],
    ["with no space between", ["did", "sig", "ts", "nonce"], ","],
    ["with more of it", ["did", "sig", "ts", "nonce"], " \t , "],
  ])("%s they say the same", async (_name, order, separator) => {
    const { client } = await mintAgent(engine);
    const { headers } = await client.signedRequest(request);
    const given = new Map(
      headers.Authorization?.match(/\w+="[^"]*"/g)?.map((p) => [p.split("=")[0], p]),
    );
    const header = `prof-signature ${order.map((name) => given.get(name)).join(separator)}, alg="x"`;
    expect((await call(client, request, { Authorization: header })).status).toBe(200);
  });

  test("sig may be base64url without padding", async () => {
    const { client } = await mintAgent(engine);
    const { headers } = await client.signedRequest(request);
    const header = headers.Authorization?.replace(
      /sig="[^"]*"/,
      (part) => `sig="${Buffer.from(part.slice(5, -1), "base64").toString("base64url")}"`,
    );
    expect((await call(client, request, { Authorization: header ?? null })).status).toBe(200);
  });
});

describe("the signed text", () => {
  const iris = agentDid("local", "iris");
  beforeAll(async () => {
    await engine.db.agent.create({
      data: {
        createdAt: testNow,
        updatedAt: testNow,
        did: iris,
        name: "Iris",
        state: "active",
        origin: "admin",
      },
    });
    const publicKey = new Uint8Array(Buffer.from(vectors.key.publicKeyHex, "hex"));
    await engine.db.key.create({
      data: { createdAt: testNow, id: "key_vectors", did: iris, publicKey, slot: 1 },
    });
  });

  test("tells of a caller that an admin added the key, and only of that one", async () => {
    const [vector] = vectors.requests.filter(({ did }) => did === iris);
    if (vector === undefined) throw new Error("no vector of the agent's");
    const where = { id: "key_vectors" };
    await engine.db.key.update({ where, data: { addedBy: "usr_admin" } });
    expect(await present(vector)).toMatchObject({ caller: { keyByAdmin: true } });
    await engine.db.key.update({ where, data: { addedBy: null } });
    await giveKey(engine, iris, 2, { addedBy: "usr_admin" });
    // As the admission does, which sees that the keys have changed.
    forgetSigner(engine, iris);
    expect((await present(vector)).caller).not.toHaveProperty("keyByAdmin");
  });

  type Case = Omit<(typeof vectors.badSignatures.cases)[number], "description">;

  async function present({ did, signature: sig, ts, nonce, body, target, ...rest }: Case) {
    const { segments, query } = targetOf(target);
    if (segments === null || query === null) throw new Error(`no target at all: ${target}`);
    return authenticate({
      ...rest,
      segments,
      query,
      engine,
      now: new Date("2030-01-31T12:00:00Z"),
      authorization: formatSignature({ did, sig, ts, nonce }),
      body: new TextEncoder().encode(body),
    });
  }

  test.each(vectors.requests.filter(({ did }) => did === iris))(
    "holds: $description",
    async (vector) => {
      const { caller, account, nonce } = await present(vector);
      expect(caller).toMatchObject({ kind: "agent", did: iris });
      expect(account).toBe(iris);
      expect(nonce).toMatchObject({ did: iris, value: vector.nonce });
    },
  );

  test.each(vectors.badSignatures.cases)("does not hold: $description", async (vector) => {
    await expect(present(vector)).rejects.toMatchObject({ code: "PROF001" });
  });
});

// What `fetch` would refuse to put on the wire, the front door never sees either.
function isSendable(header: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]+$/.test(header) && header.trim() === header;
}
