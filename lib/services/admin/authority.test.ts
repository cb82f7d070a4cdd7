import type { PoolClient } from "pg";
import { describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { overtake } from "@/tests/support/collide";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  type Minted,
  mintAdmin,
  mintAgent,
  mintKeyPair,
  mintOwner,
  type Owner,
} from "@/tests/support/personas";
import { addKey, revokeKey } from "../agents/keys";
import { registerAgent } from "../agents/register";
import type { Ctx } from "../context";
import {
  approveAgent,
  deleteAgent,
  refuseAgent,
  resumeAgent,
  setCeiling,
  setLimits,
  suspendAgent,
  verifyAgent,
} from "./agents/change-agent";
import { exportAdminEvents } from "./export-admin-events";
import { resumeProfile, setProfileFormat, suspendProfile } from "./profiles/change-profile";
import { createProfileFor } from "./profiles/create-profile";
import { deleteProfileOf } from "./profiles/delete-profile";
import { transferProfile, withdrawTransfer } from "./profiles/transfer-profile";
import { changeSetting, revertSetting } from "./settings";
import { changeRole, resumeUser, suspendUser } from "./users/change-user";
import { deleteUser } from "./users/delete-user";
import { inviteUser, issueResetLink } from "./users/links";

// What takes authority away and is acknowledged holds for every change of an admin's that commits after it.

const engine = await testEngine();

interface World {
  owner: Owner;
  heir: Owner;
  agent: Minted;
  waiting: Minted;
}

async function mintWorld(): Promise<World> {
  return {
    ...{ owner: await mintOwner(engine), heir: await mintOwner(engine) },
    ...{ agent: await mintAgent(engine), waiting: await mintAgent(engine, { state: "pending" }) },
  };
}

const emailOf = ({ userId }: Owner) => `${userId}@alice.test`.toLowerCase();
const publicKey = () => Buffer.from(mintKeyPair().publicKey);
const reason = "Complaints.";
const setting = { name: "SIGN_UP", value: "invitation" } as const;

const writes: Record<string, (ctx: Ctx, world: World) => Promise<unknown>> = {
  suspendUser: (ctx, { owner }) => suspendUser(ctx, owner.userId),
  resumeUser: (ctx, { owner }) => resumeUser(ctx, owner.userId),
  changeRole: (ctx, { owner: { userId } }) => changeRole(ctx, { userId, role: "admin" }),
  deleteUser: (ctx, { owner }) => deleteUser(ctx, owner.userId),
  inviteUser: (ctx) => inviteUser(ctx, { email: `${newId("x")}@alice.test`, role: "user" }),
  issueResetLink: (ctx, { owner }) => issueResetLink(ctx, owner.userId),
  createProfileFor: (ctx, { owner: { userId } }) =>
    createProfileFor(ctx, { userId, namespace: "local", handle: newId("p"), name: "Work" }),
  suspendProfile: (ctx, { owner }) => suspendProfile(ctx, owner.did),
  resumeProfile: (ctx, { owner }) => resumeProfile(ctx, owner.did),
  setProfileFormat: (ctx, { owner: { did } }) =>
    setProfileFormat(ctx, { did, profileType: "entity", version: "1.1" }),
  transferProfile: (ctx, { owner: { did }, heir }) =>
    transferProfile(ctx, { did, email: emailOf(heir) }),
  withdrawTransfer: (ctx, { owner }) => withdrawTransfer(ctx, owner.did),
  deleteProfileOf: (ctx, { owner }) => deleteProfileOf(ctx, owner.did),
  approveAgent: (ctx, { waiting }) => approveAgent(ctx, { did: waiting.did }),
  refuseAgent: (ctx, { waiting: { did } }) => refuseAgent(ctx, { did, reason }),
  suspendAgent: (ctx, { agent: { did } }) => suspendAgent(ctx, { did, reason }),
  resumeAgent: (ctx, { agent }) => resumeAgent(ctx, { did: agent.did }),
  verifyAgent: (ctx, { agent: { did } }) => verifyAgent(ctx, { did, verified: true }),
  setCeiling: (ctx, { agent: { did } }) => setCeiling(ctx, { did, ceiling: ["prof:health"] }),
  setLimits: (ctx, { agent: { did } }) => setLimits(ctx, { did, limits: { profile: 1 } }),
  deleteAgent: (ctx, { agent }) => deleteAgent(ctx, agent.did),
  addKey: (ctx, { agent: { did } }) => addKey(ctx, { did, publicKey: publicKey() }),
  revokeKey: (ctx, { agent: { did } }) => revokeKey(ctx, { did, keyId: "key_1" }),
  registerAgent: register,
  changeSetting: (ctx) => changeSetting(ctx, engine.settings, setting),
  revertSetting: (ctx) => revertSetting(ctx, engine.settings, "evt_1"),
  exportAdminEvents: (ctx) => exportAdminEvents(ctx, { format: "csv" }),
};

function register(ctx: Ctx) {
  const did = `did:prof:agent:local:${newId("a")}` as const;
  return registerAgent(ctx, { did, name: "Iris", publicKey: publicKey(), mode: "closed" });
}

const losses: Record<string, (client: PoolClient, userId: string) => Promise<unknown>> = {
  "a role change": (client, userId) =>
    client.query(`UPDATE "User" SET role = 'user' WHERE id = $1`, [userId]),
  "a suspension": (client, userId) =>
    client.query(`UPDATE "User" SET state = 'suspended' WHERE id = $1`, [userId]),
  "a sign-out": (client, userId) =>
    client.query(`DELETE FROM "Session" WHERE "userId" = $1`, [userId]),
};

describe.each(Object.entries(losses))("%s that was acknowledged", (_loss, lose) => {
  test.each(Object.entries(writes))("refuses %s", async (_name, write) => {
    const [admin, world] = [await mintAdmin(engine), await mintWorld()];
    const before = await engine.db.adminEvent.count();
    const outcome = await overtake(
      engine,
      (client) => lose(client, admin.userId),
      () => write(admin.ctx, world),
    );
    const code = expect.stringMatching(/^PROF00[12]$/);
    expect(outcome).toMatchObject({ status: "rejected", reason: { code } });
    expect(await engine.db.adminEvent.count()).toBe(before);
  });
});

const hourAgo = new Date(testNow.getTime() - 60 * 60_000);

async function unconfirmed() {
  const admin = await mintAdmin(engine);
  const confirmedAt = hourAgo;
  await engine.db.session.updateMany({ where: { userId: admin.userId }, data: { confirmedAt } });
  return admin;
}

// What takes something away, too: a stolen session of an admin's would stop the gateway for everybody.
test.each(Object.entries(writes))(
  "%s needs a password given in the last ten minutes",
  async (_name, write) => {
    const [{ ctx }, world] = [await unconfirmed(), await mintWorld()];
    const refused = { code: "PROF002", details: { confirm: true } };
    await expect(write(ctx, world)).rejects.toMatchObject(refused);
  },
);

describe("making an admin", () => {
  test.each<[string, (ctx: Ctx, owner: Owner) => Promise<unknown>]>([
    ["by a change of role", (ctx, { userId }) => changeRole(ctx, { userId, role: "admin" })],
    ["by an invitation", (ctx) => inviteUser(ctx, { email: "new@alice.test", role: "admin" })],
  ])("%s needs a password given in the last ten minutes", async (_how, make) => {
    const [{ ctx, userId }, owner] = [await unconfirmed(), await mintOwner(engine)];
    await expect(make(ctx, owner)).rejects.toMatchObject({
      code: "PROF002",
      details: { confirm: true },
    });
    await engine.db.session.updateMany({ where: { userId }, data: { confirmedAt: testNow } });
    await make(ctx, owner);
  });
});

describe("an agent's keys", () => {
  test("wait for a change to the agent, and are not added to one that was deleted", async () => {
    const [{ ctx }, { did }] = [await mintAdmin(engine), await mintAgent(engine)];
    const remove = (client: PoolClient) =>
      client.query(`DELETE FROM "Agent" WHERE did = $1`, [did]);
    const adding = () => addKey(ctx, { did, publicKey: publicKey() });
    expect(await overtake(engine, remove, adding)).toMatchObject({
      reason: { code: "PROF003" },
    });
  });
});
