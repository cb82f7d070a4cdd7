import { generateKeyPairSync } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { agentDid, type Did } from "@/lib/protocol/did";
import { addressOf, type Program, runCommands } from "@/tests/support/processes";
import { commandsOf } from "./document";
import { createUpstream, publish } from "./versions";
import { createAccount, signIn, type Visitor } from "./visitor";

// `npm run life`: what docs/operations.md says, on an empty machine. Every command is one of the document.
// NODE_MODULES names a folder to link the packages from, instead of asking the registry for them.

const scratch = await mkdtemp(path.join(tmpdir(), "gateway-life-"));
const machine = path.join(scratch, "machine");
const backups = path.join(scratch, "backups");
const env = {
  PATH: `${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  HOME: path.join(scratch, "home"),
  PORT: "0",
  BACKUP_URL: backups,
};
// A command that stays as it is, or one that is as good and needs no registry.
const { NODE_MODULES: packages } = process.env;
const install = packages
  ? `rm -rf node_modules && cp -al "${path.resolve(packages)}" node_modules && npx prisma generate`
  : "$&";
const upstream = await createUpstream(path.join(scratch, "upstream.git"));
const sessions: Program[] = [];
afterAll(async () => {
  for (const session of sessions) await session.stop("SIGKILL");
  await remove(scratch);
});

const root = {
  ...{ name: "Root", handle: "root", email: "root@example.com" },
  password: "nine herons over a grey estuary",
};
const alice = {
  ...{ name: "Alice", handle: "alice", email: "alice@example.com" },
  password: "eleven slow boats on a green canal",
};
const content = "Wants to see the moss garden in Kyoto.";
const scopes = ["prof:interests"];
let gateway: Program;
let kept: { did: Did; seals: Record<string, string> };
let tokens: { id: string; token: string }[];
let file = "";

test("Install -> the first admin, a user, a memory and connections", async () => {
  gateway = perform("Install", await emptyMachine());
  const address = await addressOf(gateway);
  const [, link = ""] = await gateway.says(/First admin +(\S+)/);
  await createAccount(link, root);
  await createAccount(`${address}/sign-up`, alice);
  const owner = await signIn(address, alice);
  const [profile] = await owner.call<{ did: Did }[]>("/api/profiles");
  if (profile === undefined) throw new Error("Alice has no profile.");
  const { did } = profile;
  const ofProfile = `/api/profiles/${did}`;
  await owner.call(`${ofProfile}/memories`, { content, category: "prof:interests" });
  const agent = await registerAgent(await signIn(address, root));
  const issue = { agentDid: agent, scopes, permissions: ["read"] };
  const issued = [1, 2].map(() => owner.call<(typeof tokens)[0]>(`${ofProfile}/tokens`, issue));
  tokens = await Promise.all(issued);
  kept = { did, seals: {} };
  expect(await readByTokens(address)).toEqual([200, 200]);
  const sealed = async () => {
    kept.seals = await owner.readSeals();
    return Object.keys(kept.seals).length;
  };
  // The account, the memory, two tokens and what was read by them.
  await expect.poll(sealed, { timeout: 30_000 }).toBeGreaterThanOrEqual(6);
  await gateway.stop("SIGINT");
});

test("Upgrade -> everything is there", async () => {
  await publish(upstream.folder, upstream.now);
  gateway = perform("Upgrade");
  const address = await addressOf(gateway);
  expect(gateway.output()).not.toContain("First admin");
  await expectKept(address);
  expect(await readByTokens(address)).toEqual([200, 200]);
});

test("Back up -> a file, elsewhere; what is revoked after it is written beside it", async () => {
  const backup = perform("Back up");
  expect([await backup.ended, backup.output()]).toEqual([0, expect.stringContaining(" is in ")]);
  [file = ""] = /gateway-\S+(?= is in )/.exec(backup.output()) ?? [];
  const address = await addressOf(gateway);
  const owner = await signIn(address, alice);
  await owner.call(`/api/profiles/${kept.did}/tokens/${tokens[1]?.id}`, undefined, "DELETE");
  const listed = () => readFile(path.join(backups, "gone.jsonl"), "utf8");
  await expect.poll(listed, { timeout: 30_000 }).toContain("token.revoked");
});

test("On a new machine -> all of it is back, but what was revoked", async () => {
  await gateway.stop("SIGKILL");
  gateway = perform("On a new machine", await emptyMachine());
  const address = await addressOf(gateway);
  expect(gateway.output()).not.toContain("First admin");
  await expectKept(address);
  expect(await readByTokens(address)).toEqual([200, 401]);
  expect(await gateway.stop("SIGINT")).not.toBe(1);
  expect(gateway.output()).not.toMatch(/"level":(50|60)/);
});

test("To another PostgreSQL -> the same, from the backup", async () => {
  const folder = path.join(machine, "gateway/.data/postgres");
  await writeFile(path.join(folder, "PG_VERSION"), "17\n");
  gateway = perform("To another PostgreSQL");
  const address = await addressOf(gateway);
  await expectKept(address);
  expect(await readByTokens(address)).toEqual([200, 401]);
});

/** Types the commands of a block into a terminal, in the folder of the machine or of the gateway. */
function perform(title: string, folder = path.join(machine, "gateway")): Program {
  const commands = commandsOf(title, { REPOSITORY: upstream.folder, FILE: file });
  const session = runCommands(commands.replaceAll(/^npm ci .*$/gm, install), env, folder);
  sessions.push(session);
  return session;
}

async function emptyMachine(): Promise<string> {
  await remove(machine);
  await mkdir(machine);
  return machine;
}

/** A killed PostgreSQL may write for a moment. */
function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

async function registerAgent(admin: Visitor): Promise<Did> {
  const { publicKey } = generateKeyPairSync("ed25519");
  const did = agentDid("local", "iris");
  const agent = { did, name: "Iris", publicKey: publicKey.export({ format: "jwk" }) };
  await admin.call("/api/admin/agents", agent);
  return did;
}

/** The status that each connection gets when it reads the memory. */
function readByTokens(address: string): Promise<number[]> {
  const url = `${address}/prof/v1/profile/${kept.did}/memories?category=prof:interests`;
  const reading = tokens.map(async ({ token }) => {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
    const text = await response.text();
    if (response.ok) expect(text).toContain(content);
    return response.status;
  });
  return Promise.all(reading);
}

async function expectKept(address: string): Promise<void> {
  const owner = await signIn(address, alice);
  const memories = await owner.call<object[]>(`/api/profiles/${kept.did}/memories`);
  expect(memories).toEqual([expect.objectContaining({ content })]);
  expect(await owner.readSeals()).toMatchObject(kept.seals);
  const users = await (await signIn(address, root)).call<object[]>("/api/admin/users");
  expect(users).toHaveLength(2);
}
