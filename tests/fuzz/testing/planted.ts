import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { Engine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";
import { agentDid, type Did, userDid } from "@/lib/protocol/did";
import { mintConnectionToken } from "@/lib/services/tokens/connection-token";
import { madeNow } from "@/tests/support/personas";
import type { World } from "../message";

/** Recognisable wherever it turns up, and never the same in two runs. */
function canary(of: string): string {
  return `canary-${of}-${randomBytes(6).toString("hex")}`;
}

/** Alice, whom the requests are about, Bob, an agent that reads a part of Alice, and its rival. */
export async function plant(engine: Engine, port: number): Promise<World> {
  const [alice, bob] = [await user(engine, "alice"), await user(engine, "bob")];
  const [iris, rival] = [await agent(engine, "iris"), await agent(engine, "rival")];
  const openToAgent = [canary("preference"), canary("profession")];
  const alices = await fill(engine, { profileId: alice.profileId, rival: rival.did, openToAgent });
  const bobs = await fill(engine, { profileId: bob.profileId, rival: rival.did, openToAgent: [] });
  await allow(engine, alice.profileId, reading);
  await allow(engine, alice.profileId, proposing);
  const token = await issueToken(engine, alice.profileId, iris.did);
  const clientToken = await connect(engine, { ...alice, agentDid: iris.did, port });
  const stranger = generateKeyPairSync("ed25519").privateKey;
  const hidden = [...alices, ...bobs];
  return {
    host: "127.0.0.1",
    port,
    userDid: alice.did,
    otherDid: bob.did,
    signers: { agent: iris, owner: alice, other: bob, stranger: { did: iris.did, key: stranger } },
    token,
    clientId,
    clientToken,
    secrets: {
      agent: hidden,
      token: [...hidden, ...openToAgent],
      client: [...hidden, ...openToAgent],
      owner: bobs,
      other: [...alices, ...openToAgent],
      stranger: [...hidden, ...openToAgent],
      nobody: [...hidden, ...openToAgent],
    },
    pending: [],
  };
}

const reading: Rule = {
  allow: ["prof:preferences", "prof:interests", "prof:professional"],
  deny: [
    "prof:preferences.hidden",
    "prof:interests.secret",
    "prof:professional.salary",
    "prof:health",
  ],
  permissions: ["read"],
};
const proposing: Rule = { allow: ["prof:interests", "prof:fuzz"], permissions: ["propose"] };

async function issueToken(engine: Engine, profileId: number, agentDid: Did): Promise<string> {
  const { token, tokenHash } = mintConnectionToken();
  await engine.db.connectionToken.create({
    data: {
      createdAt: engine.now(),
      id: newId("tok"),
      tokenHash,
      lastFour: token.slice(-4),
      profileId,
      agentDid,
      scopes: ["prof:interests", "prof:fuzz"],
      permissions: ["read", "propose"],
      expiresAt: new Date(Date.now() + 86_400_000),
    },
  });
  return token;
}

const clientId = "oauth-fuzz";

interface Connecting {
  profileId: number;
  agentDid: Did;
  port: number;
}

/** A program that its owner has connected; returns its access token. */
async function connect(engine: Engine, { profileId, agentDid, port }: Connecting): Promise<string> {
  const createdAt = engine.now();
  const expiresAt = new Date(createdAt.getTime() + 86_400_000);
  const client = {
    id: clientId,
    agentDid,
    name: "Iris",
    redirectUris: ["http://localhost/callback"],
  };
  await engine.db.client.create({ data: { ...client, createdAt, lastUsedAt: createdAt } });
  const { token, tokenHash } = mintConnectionToken();
  await engine.db.connectionToken.create({
    data: {
      ...{ id: newId("tok"), profileId, agentDid, clientId, createdAt, expiresAt },
      resource: `http://127.0.0.1:${port}/mcp`,
      scopes: ["prof:interests"],
      permissions: ["read", "propose"],
      secrets: { create: { secretHash: tokenHash, kind: "access", createdAt, expiresAt } },
    },
  });
  return token;
}

type Filling = { profileId: number; rival: Did; openToAgent: string[] };

/** Memories, values, proposals and requests; returns what no agent but the rival may be told. */
async function fill(engine: Engine, { profileId, rival, openToAgent }: Filling): Promise<string[]> {
  const secrets: string[] = [];
  const secret = (of: string) => {
    const text = canary(of);
    secrets.push(text);
    return text;
  };
  const [preference = "none", profession = "none"] = openToAgent;
  const common = {
    preferences: { language: preference, hidden: { [secret("name")]: secret("preference") } },
    identity: { displayName: secret("identity") },
  };
  await engine.db.profile.update({ where: { id: profileId }, data: { common } });
  await remember(engine, { profileId, secret, secrets, profession });
  await engine.db.namedValue.createMany({
    data: [
      ["prof:professional", "skills", "sql"],
      ["prof:professional.salary", secret("value-name"), secret("value")],
      ["prof:relationships", "partner", secret("value-deep")],
    ].map(([category = "", name = "", value]) => ({
      profileId,
      category,
      name,
      value: { of: [value ?? null] },
      updatedAt: engine.now(),
    })),
  });
  const input = { profileId, agentDid: rival };
  const requestedAt = engine.now();
  await engine.db.proposal.create({
    data: {
      proposedAt: engine.now(),
      ...input,
      id: newId("prop"),
      content: secret("proposal"),
      contentHash: new Uint8Array(randomBytes(32)),
      category: "prof:interests",
      confidence: 0.5,
      context: secret("proposal-context"),
      expiresAt: new Date(Date.now() + 86_400_000),
    },
  });
  const purpose = { purposeType: "research", purposeDescription: secret("consent-request") };
  await engine.db.consentRequest.create({
    data: { ...input, ...purpose, id: newId("creq"), scopes: ["prof:health"], requestedAt },
  });
  return secrets;
}

type Remembering = {
  profileId: number;
  secret: (of: string) => string;
  secrets: string[];
  profession: string;
};

// Of what is kept from the agent, the id is as secret as the text.
async function remember(engine: Engine, { profileId, secret, secrets, profession }: Remembering) {
  const memory = (category: string, content: string, more: object = {}) => ({
    id: newId("mem"),
    profileId,
    category,
    content,
    confidence: 0.5,
    source: "owner" as const,
    ...madeNow(engine),
    ...more,
  });
  const gone = new Date();
  const hidden = [
    memory("prof:interests.secret", secret("denied-child")),
    memory("prof:health", secret("denied")),
    memory("prof:health.sleep", secret("below-denied")),
    memory("prof:financial", secret("no-policy")),
    memory("prof:interests", secret("archived"), { archivedAt: gone }),
    memory("prof:interests", secret("deleted"), { deletedAt: gone }),
  ];
  secrets.push(...hidden.map(({ id }) => id));
  const open = Array.from({ length: 60 }, () => memory("prof:interests", "Open."));
  const data = [...hidden, ...open, memory("prof:professional", profession)];
  await engine.db.memory.createMany({ data });
}

async function user(engine: Engine, name: string) {
  const did = userDid("local", name);
  const id = newId("usr");
  await engine.db.user.create({
    data: { createdAt: engine.now(), id, email: `${name}@fuzz.test` },
  });
  const profile = await engine.db.profile.create({
    data: { ...madeNow(engine), did, ownerId: id },
  });
  return { did, profileId: profile.id, key: await register(engine, did) };
}

async function agent(engine: Engine, name: string) {
  const did = agentDid("local", name);
  await engine.db.agent.create({
    data: {
      ...madeNow(engine),
      did,
      name,
      state: "active",
      origin: "admin",
    },
  });
  return { did, key: await register(engine, did) };
}

async function register(engine: Engine, did: Did) {
  const pair = generateKeyPairSync("ed25519");
  const { x = "" } = pair.publicKey.export({ format: "jwk" });
  const publicKey = new Uint8Array(Buffer.from(x, "base64url"));
  await engine.db.key.create({
    data: { createdAt: engine.now(), id: newId("key"), did, publicKey, slot: 1 },
  });
  return pair.privateKey;
}

type Rule = { allow: string[]; deny?: string[]; permissions: ("read" | "propose")[] };

async function allow(engine: Engine, profileId: number, rule: Rule): Promise<void> {
  const agentPattern = "did:prof:agent:local:iris";
  await engine.db.policy.create({
    data: {
      ...madeNow(engine),
      id: newId("pol"),
      profileId,
      agentPattern,
      origin: "owner",
      ...rule,
    },
  });
}
