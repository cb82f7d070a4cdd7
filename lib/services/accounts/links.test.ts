import { describe, expect, test } from "vitest";
import { testEngine, testNow } from "@/lib/testing/harness";
import type { Ctx } from "../context";
import { isLinkLive, issueFirstAdminLink, redeemLink } from "./links";
import { hashOpaque } from "./opaque";

const { db, pool } = await testEngine();

function at(now: Date, caller: Ctx["caller"]): Ctx {
  return { db, pool, caller, now, requestId: "req_test" };
}
const gateway = at(testNow, { kind: "gateway" });
const nobody = at(testNow, { kind: "nobody" });
const anHourLater = at(new Date(testNow.getTime() + 60 * 60_000), { kind: "nobody" });
let people = 0;

// Each test starts without an admin.
async function fresh() {
  await db.user.deleteMany({ where: { role: "admin" } });
  await db.oneTimeLink.deleteMany();
}

function newcomer(token: string) {
  people += 1;
  const handle = `root${people}`;
  return {
    token,
    email: `${handle}@example.com`,
    handle,
    name: "Root",
    passwordHash: "$argon2id$",
    namespace: "local",
  };
}

async function issue(): Promise<string> {
  const link = await issueFirstAdminLink(gateway);
  if (link === null) throw new Error("no link");
  return link.token;
}

describe("the link to the first admin", () => {
  test("is stored only as a hash, and replaces an earlier one", async () => {
    await fresh();
    const earlier = await issue();
    const token = await issue();
    const rows = await db.oneTimeLink.findMany();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows[0]?.tokenHash).toEqual(hashOpaque(token));
    expect(await isLinkLive(nobody, earlier)).toBe(false);
    expect(await isLinkLive(nobody, token)).toBe(true);
  });

  test("works for an hour, and looking does not use it up", async () => {
    await fresh();
    const token = await issue();
    expect(await isLinkLive(nobody, token)).toBe(true);
    expect(await isLinkLive(nobody, token)).toBe(true);
    expect(await isLinkLive(anHourLater, token)).toBe(false);
    await expect(redeemLink(anHourLater, newcomer(token))).rejects.toMatchObject({
      code: "PROF003",
    });
  });

  test("is for the gateway alone to issue", async () => {
    await fresh();
    await expect(issueFirstAdminLink(nobody)).rejects.toMatchObject({ code: "PROF002" });
    const person = at(testNow, { kind: "person", userId: "usr_x", role: "admin" });
    await expect(issueFirstAdminLink(person)).rejects.toMatchObject({ code: "PROF002" });
  });

  test("makes an admin with a profile, its policies, and the events of both", async () => {
    await fresh();
    const { userId, did } = await redeemLink(nobody, newcomer(await issue()));
    const user = await db.user.findUniqueOrThrow({
      where: { id: userId },
      include: { profiles: { include: { policies: true } } },
    });
    expect(user.role).toBe("admin");
    const [profile] = user.profiles;
    expect(profile).toMatchObject({
      did,
      common: { identity: { displayName: "Root" }, preferences: {} },
    });
    expect(profile?.policies).toHaveLength(2);
    const events = await db.accessEvent.findMany({ where: { profileId: profile?.id } });
    expect(events).toMatchObject([{ verb: "createProfile", actor: "owner", actorId: did }]);
    const adminEvents = await db.adminEvent.findMany({ where: { adminId: userId } });
    expect(adminEvents).toMatchObject([{ verb: "becomeFirstAdmin", subjectId: userId }]);
  });

  test("is no longer issued once there is an admin, and an old one is dead", async () => {
    await fresh();
    await redeemLink(nobody, newcomer(await issue()));
    expect(await issueFirstAdminLink(gateway)).toBeNull();
  });

  test("makes exactly one admin however many use it at once", async () => {
    await fresh();
    const token = await issue();
    const tries = Array.from({ length: 8 }, () => redeemLink(nobody, newcomer(token)));
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await db.user.count({ where: { role: "admin" } })).toBe(1);
  });

  test("is one, however many instances start at once", async () => {
    await fresh();
    await Promise.all(Array.from({ length: 6 }, () => issueFirstAdminLink(gateway)));
    expect(await db.oneTimeLink.count({ where: { usedAt: null } })).toBe(1);
  });

  test("stays whole when the handle is taken", async () => {
    await fresh();
    const token = await issue();
    const first = newcomer(token);
    await db.user.create({
      data: { id: `usr_${first.handle}`, email: first.email, createdAt: testNow },
    });
    await expect(redeemLink(nobody, first)).rejects.toMatchObject({ code: "PROF006" });
    expect(await isLinkLive(nobody, token)).toBe(true);
  });
});
