import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { jwkOf, multibaseOf } from "@/lib/auth/keys/public-key";
import { newId } from "@/lib/engine/random";
import { adminApi } from "@/lib/http/api/tables";
import { agentDid } from "@/lib/protocol/did";
import vectors from "@/lib/protocol/vectors/signature.json";
import { ask, signedInCookie } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import { mintAdmin, mintAgent, mintKeyPair, mintOwner } from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";
import { actionNamed, callAction, type Field, formSent } from "./testing/actions";
import { registerItself } from "./testing/register-itself";

// Keys under which one signature holds for every text, and keys that can be written in two ways, at every
// door that takes a key, in every notation.
const registration = { PEER_LIMIT: "1000000", AGENT_REGISTRATION: "open" };
const engine = await testEngine({
  ...registration,
  LIMIT_REGISTER: "1000000",
  LIMIT_SESSION: "1000000",
});
const gateway = await addressOf(
  startGateway({
    DATABASE_URL: engine.env.DATABASE_URL ?? "",
    LOG_LEVEL: "warn",
    ...registration,
  }),
);
// Its clock is the gateway's, which the sessions are shown to.
engine.setNow(new Date());
const admins = await signedInCookie(engine, await mintAdmin(engine));
const owners = await signedInCookie(engine, await mintOwner(engine));
const agent = await mintAgent(engine);
const did = () => agentDid("local", newId("weak"));

const { publicKeys } = vectors;
const weak = [...publicKeys.smallOrder, ...publicKeys.nonCanonical, ...publicKeys.notOnCurve];

type Notation = [name: string, write: (raw: Buffer) => unknown];
const notations: [Notation, ...Notation[]] = [
  ["base64", (raw) => raw.toString("base64")],
  ["JWK", jwkOf],
  ["JWK as text", (raw) => JSON.stringify(jwkOf(raw), null, 2)],
  ["did:key", (raw) => `did:key:${multibaseOf(raw)}`],
  ["multibase", multibaseOf],
  ["PEM", pemOf],
];

function pemOf(raw: Buffer): string {
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), raw]);
  return `-----BEGIN PUBLIC KEY-----\n${der.toString("base64")}\n-----END PUBLIC KEY-----\n`;
}

type Send = (publicKey: unknown) => Promise<string>;

const refusal = "Must be an Ed25519 public key";
const privateRefusal = "This is a private key. It was not stored";

/** Of what a form answers, whether it is about the key. */
async function typed(action: string, cookie: string, fields: Field[], publicKey: unknown) {
  const found = await actionNamed(action);
  const text = typeof publicKey === "string" ? publicKey : JSON.stringify(publicKey);
  const body = formSent(found, [...fields, ["publicKey", text]]);
  const { status, text: shown } = await callAction(found, { gateway, cookie, body });
  if (shown.includes(privateRefusal)) return "refused as private";
  return shown.includes(refusal) ? "refused" : `${status}`;
}

function coded({ status, body }: Awaited<ReturnType<typeof ask>>): string {
  const answer = `${status} ${body.error?.code}`;
  if (body.error?.message.includes(privateRefusal)) return "refused as private";
  return answer === "400 PROF006" ? "refused" : answer;
}

const scripts: [name: string, send: Send][] = [
  [
    "an agent that registers itself",
    async (publicKey) => coded(await registerItself(engine, (own) => ({ ...own, publicKey }))),
  ],
  [
    "an admin's script that registers an agent",
    async (publicKey) => {
      const body = { did: did(), name: "Weak", publicKey };
      return coded(await ask(adminApi.registerAgent, { cookie: admins, body }));
    },
  ],
  [
    "an admin's script that adds a key to an agent",
    async (publicKey) => {
      const input = { cookie: admins, params: { agentDid: agent.did }, body: { publicKey } };
      return coded(await ask(adminApi.addKey, input));
    },
  ],
];

const forms: typeof scripts = [
  [
    "the form in which an owner adds a key of their own",
    (publicKey) =>
      typed(
        "addKeyAction of app/dashboard/settings/keys/actions.ts",
        owners,
        [["label", "Weak"]],
        publicKey,
      ),
  ],
  [
    "the form in which a user registers an agent",
    (publicKey) =>
      typed(
        "registerAction of app/dashboard/agents/register/actions.ts",
        owners,
        newAgent(),
        publicKey,
      ),
  ],
  [
    "the form in which an admin registers an agent",
    (publicKey) =>
      typed("registerAction of app/admin/agents/actions.ts", admins, newAgent(), publicKey),
  ],
  [
    "the form in which an admin adds a key to an agent",
    (publicKey) =>
      typed(
        "agentAction of app/admin/agents/actions.ts",
        admins,
        [
          ["intent", "addKey"],
          ["did", agent.did],
          ["label", "Weak"],
        ],
        publicKey,
      ),
  ],
];

function newAgent(): Field[] {
  return Object.entries({ did: did(), name: "Weak", description: "", operator: "" });
}

async function expectRefused(send: Send, write: (raw: Buffer, nth: number) => unknown) {
  const before = await engine.db.key.count();
  const answers = await Promise.all(
    weak.map(async ({ description, hex }, nth) => {
      const answer = await send(write(Buffer.from(hex, "hex"), nth));
      return answer === "refused" ? [] : [`${description}: ${answer}`];
    }),
  );
  expect(answers.flat()).toEqual([]);
  expect(await engine.db.key.count()).toBe(before);
}

describe.each(scripts)("%s", (_door, send) => {
  test.each(notations)("is refused every weak key, written as %s", async (_notation, write) => {
    await expectRefused(send, write);
  });
});

test.each(forms)("%s is refused every weak key, each in another notation", async (_door, send) => {
  const [[, inBase64]] = notations;
  await expectRefused(send, (raw, nth) =>
    (notations[nth % notations.length]?.[1] ?? inBase64)(raw),
  );
});

// What registers itself signs with the key that it shows: its notations are in app/api/agents/route.test.ts.
test.each([...scripts.slice(1), ...forms])(
  "%s takes a sound key in every notation",
  async (_door, send) => {
    for (const [notation, write] of notations) {
      const publicKey = new Uint8Array(mintKeyPair().publicKey);
      await send(write(Buffer.from(publicKey)));
      const { count } = await engine.db.key.deleteMany({ where: { publicKey } });
      expect([notation, count]).toEqual([notation, 1]);
    }
  },
);

test.each([...scripts, ...forms])(
  "%s refuses a private key and says that it was sent",
  async (_door, send) => {
    const before = await engine.db.key.count();
    const { privateKey } = mintKeyPair();
    const pem = createPrivateKey({ key: { ...privateKey }, format: "jwk" });
    for (const key of [
      privateKey,
      JSON.stringify(privateKey),
      pem.export({ format: "pem", type: "pkcs8" }),
      generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey.export({
        format: "pem",
        type: "pkcs1",
      }),
    ]) {
      expect(await send(key)).toBe("refused as private");
    }
    expect(await engine.db.key.count()).toBe(before);
  },
);

test("A signature that holds for every text under a weak key lets nobody in, even if it were stored", async () => {
  const { publicKeyHex, signature } = vectors.forgery;
  const publicKey = new Uint8Array(Buffer.from(publicKeyHex, "hex"));
  const { did: owner, client } = await mintAgent(engine);
  await engine.db.key.create({
    data: { createdAt: engine.now(), id: newId("key"), did: owner, publicKey, slot: 2 },
  });
  const request = { method: "GET", target: `/prof/v1/profile/${owner}` };
  const signed = await client.signedRequest(request);
  const Authorization = signed.headers.Authorization?.replace(/sig="[^"]*"/, `sig="${signature}"`);
  const reply = await client.send({
    ...signed,
    headers: { ...signed.headers, Authorization: `${Authorization}` },
  });
  expect(reply.status).toBe(401);
});
