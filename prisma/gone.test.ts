import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { revokeAgent } from "@/lib/services/access/revoke-agent";
import { changeRole } from "@/lib/services/admin/users/change-user";
import { deleteUser } from "@/lib/services/admin/users/delete-user";
import { revokeKey } from "@/lib/services/agents/keys";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveMemory,
  givePolicy,
  giveToken,
  mintAdmin,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";

const engine = await testEngine();
const { db } = engine;

/** What was noted while something was done, in order, without what it is about. */
async function notedBy(work: () => Promise<unknown>): Promise<string[]> {
  const last = await db.gone.aggregate({ _max: { id: true } });
  await work();
  const rows = await db.gone.findMany({
    where: { id: { gt: last._max.id ?? 0n } },
    orderBy: { id: "asc" },
  });
  return rows.map(({ kind, key }) => `${kind} ${Buffer.from(key).toString("hex").slice(0, 8)}`);
}

function entry(kind: string, id: string | number): string {
  return `${kind} ${createHash("sha256").update(String(id)).digest("hex").slice(0, 8)}`;
}

test("an account that is deleted is noted, with its profile, and not memory by memory", async () => {
  const owner = await mintOwner(engine);
  for (let count = 0; count < 20; count++) await giveMemory(engine, owner.profileId);
  const root = await mintAdmin(engine);
  const noted = await notedBy(() => deleteUser(root.ctx, owner.userId));
  expect(noted).toContain(entry("account.erased", owner.userId));
  expect(noted).toContain(entry("profile.erased", owner.profileId));
  expect(noted.filter((one) => one.startsWith("memory."))).toEqual([]);
});

test("access that is revoked is noted: receipts, tokens and rules", async () => {
  const owner = await mintOwner(engine);
  const agent = await mintAgent(engine, { verified: true });
  const { id: policyId } = await givePolicy(engine, owner.profileId, {
    ...{ agentPattern: agent.did, origin: "consent", allow: ["prof:interests"] },
  });
  const { id: tokenId } = await giveToken(engine, { owner, agent });
  const purpose = { type: "personalization" };
  const scopes = ["prof:interests"];
  const { data } = await agent.client.requestAccess({ did: owner.did, scopes, purpose });
  const revoking = { did: owner.did, agentDid: agent.did };
  const noted = await notedBy(() => revokeAgent(signedIn(engine, owner), revoking));
  expect(noted).toEqual(
    expect.arrayContaining([
      entry("receipt.revoked", data.receiptId),
      entry("token.revoked", tokenId),
      entry("policy.changed", policyId),
    ]),
  );
});

test("a key that is revoked, and an admin who is none any more, are noted", async () => {
  const owner = await mintOwner(engine);
  const key = await db.key.findFirstOrThrow({ where: { did: owner.did } });
  const revoking = { did: owner.did, keyId: key.id };
  expect(await notedBy(() => revokeKey(signedIn(engine, owner), revoking))).toEqual([
    entry("key.revoked", key.id),
  ]);
  const [root, other] = [await mintAdmin(engine), await mintAdmin(engine)];
  const change = { userId: other.userId, role: "user" } as const;
  expect(await notedBy(() => changeRole(root.ctx, change))).toEqual([
    entry("admin.removed", other.userId),
  ]);
});

const set = (owner: Owner, sql: string) =>
  engine.pool.query(sql.replace("$id", owner.userId).replace("$profile", String(owner.profileId)));

test.each([
  [`UPDATE "User" SET "passwordHash" = 'x' WHERE id = '$id'`, "password.changed", "user"],
  [
    `UPDATE "User" SET email = lower(id) || '@new.test' WHERE id = '$id'`,
    "address.changed",
    "user",
  ],
  [`UPDATE "User" SET state = 'suspended' WHERE id = '$id'`, "user.suspended", "user"],
  [`UPDATE "User" SET name = 'Alice' WHERE id = '$id'`, null, "user"],
  [`UPDATE "Profile" SET state = 'suspended' WHERE id = $profile`, "profile.suspended", "profile"],
  [`UPDATE "Profile" SET "visitedAt" = now() WHERE id = $profile`, null, "profile"],
] as const)("%s notes %s", async (sql, kind, of) => {
  const owner = await mintOwner(engine);
  const id = of === "user" ? owner.userId : owner.profileId;
  expect(await notedBy(() => set(owner, sql))).toEqual(kind === null ? [] : [entry(kind, id)]);
});

test("a memory that is deleted is noted, and that it was brought back", async () => {
  const owner = await mintOwner(engine);
  const { id } = await giveMemory(engine, owner.profileId);
  const mark = (deletedAt: Date | null) => db.memory.update({ where: { id }, data: { deletedAt } });
  expect(await notedBy(() => mark(testNow))).toEqual([entry("memory.deleted", id)]);
  expect(await notedBy(() => mark(null))).toEqual([entry("memory.restored", id)]);
});

test("mails that are stopped are noted, and those that begin are not", async () => {
  const { userId } = await mintOwner(engine);
  const data = { userId, stopKey: Buffer.alloc(16, userId), confirmedAt: testNow };
  await db.mailbox.create({ data });
  const change = (changed: object) => () => db.mailbox.update({ where: { userId }, data: changed });
  const stopped = [entry("mail.stopped", userId)];
  expect(await notedBy(change({ requests: false }))).toEqual(stopped);
  expect(await notedBy(change({ requests: true, hour: 9 }))).toEqual([]);
  expect(await notedBy(change({ mutedAgents: ["did:prof:agent:local:x"] }))).toEqual(stopped);
  expect(await notedBy(change({ digest: "never" }))).toEqual(stopped);
});

test("what is rolled back is not noted, and what is noted stays", async () => {
  const owner = await mintOwner(engine);
  const failing = () =>
    db.$transaction(async (tx) => {
      await tx.user.delete({ where: { id: owner.userId } });
      throw new Error("rolled back");
    });
  expect(await notedBy(() => expect(failing()).rejects.toThrow("rolled back"))).toEqual([]);
  await set(owner, `UPDATE "User" SET "passwordHash" = 'x' WHERE id = '$id'`);
  await expect(engine.pool.query(`DELETE FROM "Gone"`)).rejects.toThrow("append-only");
  await expect(engine.pool.query(`UPDATE "Gone" SET kind = 'x'`)).rejects.toThrow("append-only");
  await expect(engine.pool.query(`TRUNCATE "Gone"`)).rejects.toThrow("append-only");
});
