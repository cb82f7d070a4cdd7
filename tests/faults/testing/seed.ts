import { generateKeyPairSync } from "node:crypto";
import { Client } from "pg";
import { insertRows, numberedId, type Row } from "@/bench/rows";
import { agentDid, type Did, userDid } from "@/lib/protocol/did";
import { createSecretToken } from "@/lib/services/accounts/secret-token";
import { marker } from "../client";
import {
  accessKey,
  type Canary,
  categories,
  hastyLimit,
  type Owner,
  type Person,
  type Signer,
  type World,
} from "../world";

const owners = 6;
const workers = 8;
const strangers = 2;
const yearMs = 365 * 24 * 60 * 60_000;

/** Who is there before anything is broken, straight into the database. */
export async function seedWorld(databaseUrl: string, hasty: number): Promise<World> {
  const client = new Client({ connectionString: databaseUrl });
  // A stop of the run stops the database: what runs on it rejects, and that is all.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const [keyed] = await seedAgents(client, "keyed", 1);
    if (keyed === undefined) throw new Error("no agent was seeded");
    const world: World = {
      owners: await seedOwners(client),
      admin: await seedPerson(client, { n: owners, role: "admin" }),
      keyed,
      workers: await seedAgents(client, "work", workers),
      guests: await seedAgents(client, "guest", owners),
      strangers: await seedAgents(client, "stranger", strangers),
      hasty: await seedAgents(client, "hasty", hasty, { memories: hastyLimit }),
      canaries: [],
      secrets: [],
    };
    const profiles = await profileIds(client);
    for (const [place, owner] of world.owners.entries()) {
      const profileId = profiles.get(owner.did) ?? 0;
      await seedPolicies(client, profileId, place);
      world.canaries.push(...(await seedMemories(client, { world, owner, profileId, place })));
    }
    const everybody = [
      ...world.owners,
      ...world.workers,
      ...world.guests,
      ...world.strangers,
      world.keyed,
    ];
    const keys = [...everybody, ...world.hasty].map(({ privateKey }) => privateKey.d ?? "");
    const sessions = [...world.owners, world.admin].map(({ cookie }) => cookie.split("=")[1] ?? "");
    world.secrets.push(...keys, ...sessions);
    return world;
  } finally {
    await client.end();
  }
}

async function seedOwners(client: Client): Promise<Owner[]> {
  const all: Owner[] = [];
  for (let n = 0; n < owners; n++) {
    const person = await seedPerson(client, { n, role: "user" });
    const did = userDid("local", `owner-${n}`);
    const profile = [did, person.userId];
    await client.query(
      `INSERT INTO "Profile" (did, "ownerId", "createdAt", "updatedAt") VALUES ($1, $2, now(), now())`,
      profile,
    );
    all.push({ ...person, did, privateKey: await seedKey(client, did) });
  }
  return all;
}

/** Signed in for a year. */
async function seedPerson(
  client: Client,
  { n, role }: { n: number; role: "user" | "admin" },
): Promise<Person> {
  const createdAt = new Date();
  const userId = numberedId("usr", n);
  const { token, tokenHash } = createSecretToken();
  const account = { id: userId, email: `person-${n}@example.com`, role, state: "active" };
  await insertRows(client, "User", [{ ...account, createdAt }]);
  const session = { id: numberedId("ses", n), tokenHash: bytea(tokenHash), userId };
  const expiresAt = new Date(createdAt.getTime() + yearMs);
  await insertRows(client, "Session", [
    { ...session, createdAt, lastSeenAt: createdAt, confirmedAt: createdAt, expiresAt },
  ]);
  return { userId, cookie: `gateway-session=${token}` };
}

async function seedAgents(
  client: Client,
  namespace: string,
  count: number,
  limits: Record<string, number> = {},
): Promise<Signer[]> {
  const now = new Date();
  const all: Signer[] = [];
  for (let n = 0; n < count; n++) {
    const did = agentDid(namespace, `${namespace}-${n}`);
    const standing = { state: "active", verified: true, ceiling: ["prof:*"], origin: "admin" };
    const times = { createdAt: now, updatedAt: now };
    await insertRows(client, "Agent", [
      { did, name: `${namespace} ${n}`, limits, ...standing, ...times },
    ]);
    all.push({ did, privateKey: await seedKey(client, did) });
  }
  return all;
}

let keys = 0;

async function seedKey(client: Client, did: Did): Promise<JsonWebKey> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  const key = { id: numberedId("key", keys++), did, publicKey: bytea(Buffer.from(x, "base64url")) };
  await insertRows(client, "Key", [{ ...key, slot: 1, createdAt: new Date() }]);
  return privateKey.export({ format: "jwk" });
}

async function profileIds(client: Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ did: string; id: number }>(`SELECT did, id FROM "Profile"`);
  return new Map(rows.map(({ did, id }) => [did, id]));
}

async function seedPolicies(client: Client, profileId: number, place: number): Promise<void> {
  const now = new Date();
  const rule = (n: number, namespace: string, permissions: string[]): Row => ({
    id: numberedId("pol", place * 10 + n),
    profileId,
    agentPattern: `did:prof:agent:${namespace}:*`,
    verifiedOnly: false,
    allow: [categories.open],
    deny: [],
    permissions,
    purposes: [],
    enabled: true,
    origin: "owner",
    createdAt: now,
    updatedAt: now,
  });
  await insertRows(client, "Policy", [
    rule(0, "work", ["read", "propose"]),
    rule(1, "hasty", ["read"]),
    rule(2, "keyed", ["read"]),
  ]);
}

interface Filling {
  world: World;
  owner: Owner;
  profileId: number;
  place: number;
}

async function seedMemories(client: Client, filling: Filling): Promise<Canary[]> {
  const { world, owner, profileId, place } = filling;
  const guest = world.guests[place]?.did ?? "";
  const key = accessKey(guest, owner.did);
  const openTo = [owner.did, owner.userId];
  const readers = [...world.workers, ...world.hasty, world.keyed].map(({ did }) => did);
  const hidden: [category: string, Omit<Canary, "text">][] = [
    [categories.open, { openTo: [...openTo, ...readers], access: null }],
    [categories.granted, { openTo, access: { key, caller: guest } }],
    [categories.byToken, { openTo, access: { key: `${key} by token`, caller: guest } }],
    [categories.closed, { openTo, access: null }],
  ];
  const canaries = hidden.map(([category, who]) => ({ category, text: marker("canary"), ...who }));
  const now = new Date();
  await insertRows(
    client,
    "Memory",
    canaries.map(({ category, text }, n) => ({
      id: numberedId("mem", place * 10 + n),
      profileId,
      category,
      content: `${text} is what is remembered here.`,
      confidence: 0.9,
      source: "owner",
      createdAt: now,
      updatedAt: now,
    })),
  );
  return canaries.map(({ category: _, ...canary }) => canary);
}

function bytea(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString("hex")}`;
}
