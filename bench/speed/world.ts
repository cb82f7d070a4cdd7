import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { Client } from "pg";
import { agentDid, type Did, userDid } from "@/lib/protocol/did";
import { bytea, insertRows, numberedId, type Row } from "../rows";
import type { Caller } from "./requests";

// Who calls whom: agents with keys, and owners whose profiles have 20 memories or 60, and 5 policies.

export interface World {
  agents: Caller[];
  owners: Owner[];
}

export interface Owner extends Caller {
  profileId: number;
}

const agentCount = 64;
const ownerCount = 64;
const categories = [
  "prof:preferences.food",
  "prof:interests",
  "prof:episodic",
  "prof:professional",
];

/** The first half of the owners has profiles of the one size, the second half of the other. */
export const memoriesOf = (owner: number) => (owner < ownerCount / 2 ? 20 : 60);

export async function seedWorld(databaseUrl: string): Promise<World> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const agents = Array.from({ length: agentCount }, (_, n) =>
      mint(agentDid("local", `load-${n}`)),
    );
    const owners = Array.from({ length: ownerCount }, (_, n) =>
      mint(userDid("local", `load-${n}`)),
    );
    await insertRows(
      client,
      "Agent",
      agents.map(({ did }, n) => agentRow(did, n)),
    );
    await insertRows(
      client,
      "User",
      owners.map((_, n) => userRow(n)),
    );
    await insertRows(client, "Key", [...agents, ...owners].map(keyRow));
    for (const [n, { did }] of owners.entries()) {
      await client.query(
        `INSERT INTO "Profile" (did, "ownerId", common, "createdAt", "updatedAt") VALUES ($1, $2, $3, now(), now())`,
        [did, numberedId("usr", n), { preferences: { language: "en", units: "metric" } }],
      );
    }
    const ids = await profileIds(client);
    const withIds = owners.map((owner) => ({ ...owner, profileId: ids.get(owner.did) ?? 0 }));
    await insertRows(client, "Policy", withIds.flatMap(policyRows));
    await insertRows(client, "Memory", withIds.flatMap(memoryRows));
    await client.query(`VACUUM ANALYZE "Agent", "User", "Key", "Profile", "Policy", "Memory"`);
    return { agents, owners: withIds };
  } finally {
    await client.end();
  }
}

function mint(did: Did): Caller & { publicKey: KeyObject } {
  return { did, ...generateKeyPairSync("ed25519") };
}

function agentRow(did: Did, n: number): Row {
  return {
    did,
    name: `Load ${n}`,
    state: "active",
    verified: true,
    ceiling: ["prof:*"],
    limits: {},
    origin: "admin",
    createdAt: new Date(),
    updatedAt: new Date(),
  };
}

function userRow(n: number): Row {
  const createdAt = new Date();
  return {
    id: numberedId("usr", n),
    email: `load-${n}@example.com`,
    role: "user",
    state: "active",
    createdAt,
  };
}

function keyRow({ did, publicKey }: { did: Did; publicKey: KeyObject }, n: number): Row {
  const { x = "" } = publicKey.export({ format: "jwk" });
  const raw = Buffer.from(x, "base64url");
  return { id: numberedId("key", n), did, publicKey: bytea(raw), slot: 1, createdAt: new Date() };
}

async function profileIds(client: Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ did: string; id: number }>(`SELECT did, id FROM "Profile"`);
  return new Map(rows.map(({ did, id }) => [did, id]));
}

// Four that decide, and one that is for somebody else.
function policyRows({ profileId }: Owner, owner: number): Row[] {
  return [
    { agentPattern: "did:prof:agent:*:*", verifiedOnly: true, allow: ["prof:preferences.*"] },
    { agentPattern: "did:prof:agent:*:*", verifiedOnly: true, allow: ["prof:interests.*"] },
    { agentPattern: "did:prof:agent:local:*", allow: ["prof:episodic.*"] },
    {
      agentPattern: "did:prof:agent:local:*",
      allow: ["prof:professional.*"],
      deny: ["prof:health"],
    },
    { agentPattern: "did:prof:agent:elsewhere:*", allow: ["prof:*"] },
  ].map((policy, n) => ({
    verifiedOnly: false,
    deny: [],
    ...policy,
    id: numberedId("pol", owner * 10 + n),
    profileId,
    permissions: ["read", "propose"],
    purposes: [],
    enabled: true,
    origin: "owner",
    createdAt: new Date(),
    updatedAt: new Date(),
  }));
}

function memoryRows({ profileId }: Owner, owner: number): Row[] {
  return Array.from({ length: memoriesOf(owner) }, (_, n) => ({
    id: numberedId("mem", owner * 1_000 + n),
    profileId,
    category: categories[n % categories.length],
    content: `Likes walk number ${n} along the river better than the ones before, in any weather.`,
    confidence: 0.8,
    source: "owner",
    createdAt: new Date(Date.now() - n * 60_000),
    updatedAt: new Date(),
  }));
}

let proposed = 0;

/** Proposals that wait for their owners, straight into the database: what reviewing is measured on. */
export async function seedPending(databaseUrl: string, world: World, count: number) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const waiting = Array.from({ length: count }, (_, n) => {
      const owner = world.owners[n % world.owners.length] as Owner;
      return { owner, id: numberedId("prop", proposed++) };
    });
    await insertRows(
      client,
      "Proposal",
      waiting.map(({ owner, id }) => proposalRow(owner, id)),
    );
    return waiting;
  } finally {
    await client.end();
  }
}

// By an agent that proposes nothing else: what nobody comes to review counts against nobody who proposes.
const reviewed = agentDid("local", "reviewed");

function proposalRow({ profileId }: Owner, id: string): Row {
  const content = `Took up something new: ${id}.`;
  return {
    id,
    profileId,
    agentDid: reviewed,
    content,
    contentHash: bytea(createHash("sha256").update(content).digest()),
    category: "prof:interests",
    confidence: 0.7,
    status: "pending",
    proposedAt: new Date(),
    expiresAt: new Date(Date.now() + 7 * 24 * 60 * 60_000),
  };
}
