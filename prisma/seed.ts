import { generateKeyPairSync } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Engine } from "@/lib/engine/engine";
import type { Role } from "@/lib/engine/prisma-client/enums";
import { newId, randomBase62 } from "@/lib/engine/random";
import { agentDid, type Did } from "@/lib/protocol/did";
import { createAccount } from "@/lib/services/accounts/accounts";
import { ctxAt, daysAgo, seedActivity } from "./seed-activity";
import { type AgentName, agents, aliceCommon, aliceMemories, aliceValues } from "./seed-content";

// Fills an empty database with people and agents to try things on.

export interface DemoUser {
  name: string;
  email: string;
  password: string;
  did: Did;
  keyFile: string;
  role: Role;
}

export interface Demo {
  address: string;
  agents: { name: string; did: Did; keyFile: string }[];
  users: DemoUser[];
}

export interface SeedSettings {
  engine: Engine;
  address: string;
  /** Folder for the private keys and demo.json, readable by its owner only. */
  folder: string;
  hashPassword: (password: string) => Promise<string>;
}

export async function seedDemo(settings: SeedSettings): Promise<Demo> {
  await mkdir(settings.folder, { recursive: true, mode: 0o700 });
  const alice = await seedUser(settings, { name: "Alice", handle: "alice", role: "user" });
  const root = await seedUser(settings, { name: "Root", handle: "root", role: "admin" });
  const made = Object.keys(agents) as AgentName[];
  const seeded = await Promise.all(made.map((name) => seedAgent(settings, name)));
  await seedContents(settings.engine, alice.did);
  await seedActivity(settings, alice.did);
  const demo = { address: settings.address, agents: seeded, users: [alice, root] };
  await writeSecret(settings.folder, "demo.json", `${JSON.stringify(demo, null, 2)}\n`);
  return demo;
}

interface Person {
  name: string;
  handle: string;
  role: Role;
}

async function seedUser(settings: SeedSettings, person: Person): Promise<DemoUser> {
  const { engine, hashPassword } = settings;
  const { name, handle, role } = person;
  const email = `${handle}@example.com`;
  const password = randomBase62(20);
  const passwordHash = await hashPassword(password);
  const namespace = engine.env.PROF_NAMESPACE;
  const ctx = ctxAt(engine, { kind: "gateway" }, 420);
  const account = { email, handle, name, passwordHash, namespace, role };
  const { did } = await engine.db.$transaction((tx) => createAccount(tx, ctx, account));
  return { name, email, password, did: did as Did, keyFile: await seedKey(settings, did), role };
}

async function seedAgent(settings: SeedSettings, agentName: AgentName) {
  const { engine } = settings;
  const { handle, ...rest } = agents[agentName];
  const did = agentDid(engine.env.PROF_NAMESPACE, handle);
  const createdAt = daysAgo(engine, 60);
  await engine.db.agent.create({
    data: { updatedAt: engine.now(), did, ...rest, state: "active", origin: "admin", createdAt },
  });
  return { name: rest.name, did, keyFile: await seedKey(settings, did) };
}

async function seedKey({ engine, folder }: SeedSettings, did: string): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  const data = { id: newId("key"), did, publicKey: Buffer.from(x, "base64url"), slot: 1 };
  await engine.db.key.create({ data: { createdAt: engine.now(), ...data, label: "Demo" } });
  const file = `${did.split(":").at(-1)}.pem`;
  await writeSecret(folder, file, privateKey.export({ format: "pem", type: "pkcs8" }).toString());
  return file;
}

async function seedContents(engine: Engine, did: Did): Promise<void> {
  const where = { did };
  const { id: profileId } = await engine.db.profile.update({
    where,
    data: { common: aliceCommon },
  });
  await engine.db.namedValue.createMany({
    data: aliceValues.map((value) => ({ updatedAt: engine.now(), ...value, profileId })),
  });
  await engine.db.memory.createMany({
    data: aliceMemories.map(({ daysAgo: days, ...memory }) => {
      const createdAt = daysAgo(engine, days);
      return { id: newId("mem"), profileId, ...memory, createdAt, updatedAt: createdAt };
    }),
  });
}

function writeSecret(folder: string, file: string, text: string): Promise<void> {
  return writeFile(path.join(folder, file), text, { mode: 0o600 });
}
