import { describe, expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import { eventsOf, giveMemory, mintAdmin, mintOwner, signedIn } from "@/tests/support/personas";
import { tombstoneOf } from "../../erasure/delete-profile";
import { listAdminEvents } from "../list-admin-events";
import { resumeProfile, setProfileFormat, suspendProfile } from "./change-profile";
import { createProfileFor } from "./create-profile";
import { deleteProfileOf } from "./delete-profile";
import { findProfile, listProfiles } from "./list-profiles";
import { transferProfile, withdrawTransfer } from "./transfer-profile";

const engine = await testEngine();
const { ctx, userId: rootId } = await mintAdmin(engine);

describe("a profile's page", () => {
  test("has counts and metadata, and nothing that the profile holds", async () => {
    const alice = await mintOwner(engine, { common: { preferences: { canary: "tea" } } });
    await giveMemory(engine, alice.profileId, { content: "canary memory" });
    const shown = await findProfile(ctx, alice.did);
    expect(shown.counts).toMatchObject({ memories: 1, pendingProposals: 0 });
    expect(shown.profile).toMatchObject({ did: alice.did, owner: { id: alice.userId } });
    expect(JSON.stringify(shown)).not.toContain("canary");
  });

  test("is found by a part of its DID or of its owner's address", async () => {
    const alice = await mintOwner(engine);
    for (const search of [alice.did.slice(-12), alice.userId.toLowerCase()]) {
      const { profiles } = await listProfiles(ctx, { search, limit: 5 });
      expect(profiles.map(({ did }) => did)).toEqual([alice.did]);
    }
  });
});

describe("suspending a profile", () => {
  test("refuses its owner with PROF002 until it is resumed; the owner's log says who did it", async () => {
    const alice = await mintOwner(engine);
    await suspendProfile(ctx, alice.did);
    await expect(alice.client.getProfile({ did: alice.did })).rejects.toMatchObject({
      code: "PROF002",
    });
    await resumeProfile(ctx, alice.did);
    await alice.client.getProfile({ did: alice.did });
    const adminEvents = (await eventsOf(engine, alice.profileId)).filter(
      ({ actor }) => actor === "admin",
    );
    expect(adminEvents.map(({ verb }) => verb).sort()).toEqual(["resumeProfile", "suspendProfile"]);
    expect(adminEvents.map(({ actorId }) => actorId)).toEqual([rootId, rootId]);
  });
});

describe("type and version", () => {
  test("are what agents read from then on", async () => {
    const alice = await mintOwner(engine);
    await setProfileFormat(ctx, { did: alice.did, profileType: "entity", version: "1.1" });
    const { data } = await alice.client.getProfile({ did: alice.did });
    expect(data).toMatchObject({ profileType: "entity", version: "1.1" });
    const { events } = await listAdminEvents(ctx, { subject: alice.did, limit: 5 });
    expect(events).toMatchObject([
      {
        verb: "setProfileFormat",
        subjectId: `profile:${alice.profileId}`,
        subjectName: alice.did,
        before: { profileType: "human", version: "1.0" },
        after: { profileType: "entity", version: "1.1" },
      },
    ]);
  });
});

describe("a profile that an admin makes", () => {
  test("belongs to the user, who reads in its log that an admin made it", async () => {
    const alice = await mintOwner(engine);
    const handle = `made-${alice.profileId}`;
    const input = { userId: alice.userId, namespace: "local", handle, name: "Work" };
    const did = await createProfileFor(ctx, input);
    const { profile } = await findProfile(ctx, did);
    expect(profile.owner.id).toBe(alice.userId);
    expect(await eventsOf(engine, profile.id)).toMatchObject([
      { verb: "createProfile", actor: "admin", actorId: rootId },
    ]);
    expect((await listAdminEvents(ctx, { subject: did, limit: 5 })).events).toMatchObject([
      { verb: "createProfile", admin: { id: rootId }, after: { ownerId: alice.userId } },
    ]);
    await expect(createProfileFor(ctx, input)).rejects.toMatchObject({ code: "PROF006" });
  });

  test("is refused to a demoted admin, and for nobody", async () => {
    const alice = await mintOwner(engine);
    const input = { userId: alice.userId, namespace: "local", handle: "never", name: "Work" };
    const before = await mintAdmin(engine);
    await engine.db.user.update({ where: { id: before.userId }, data: { role: "user" } });
    await expect(createProfileFor(before.ctx, input)).rejects.toMatchObject({ code: "PROF002" });
    await expect(createProfileFor(ctx, { ...input, userId: "usr_0" })).rejects.toMatchObject({
      code: "PROF003",
    });
  });
});

describe("deleting a profile", () => {
  test("leaves a hash, and tells the owner's other profiles", async () => {
    const [alice, second] = [await mintOwner(engine), await mintOwner(engine)];
    await engine.db.profile.update({
      where: { id: second.profileId },
      data: { ownerId: alice.userId },
    });
    await suspendProfile(ctx, alice.did);
    await deleteProfileOf(ctx, alice.did);
    expect(await engine.db.profile.count({ where: { id: alice.profileId } })).toBe(0);
    expect((await listAdminEvents(ctx, { subject: alice.did, limit: 5 })).events).toMatchObject([
      {
        verb: "deleteProfile",
        subjectId: tombstoneOf(alice.did),
        subjectName: null,
        before: { ownerId: alice.userId },
      },
    ]);
    expect(JSON.stringify(await engine.db.adminEvent.findMany())).not.toContain(alice.did);
    expect(await eventsOf(engine, second.profileId)).toMatchObject([
      { verb: "deleteOtherProfile", actor: "admin" },
    ]);
    await expect(deleteProfileOf(ctx, alice.did)).rejects.toMatchObject({ code: "PROF003" });
  });
});

describe("everybody else", () => {
  test("is refused every verb over profiles, the owner too", async () => {
    const alice = await mintOwner(engine);
    const owner = signedIn(engine, alice);
    const { did } = alice;
    const tries = [
      listProfiles(owner, { limit: 1 }),
      findProfile(owner, did),
      suspendProfile(owner, did),
      resumeProfile(owner, did),
      setProfileFormat(owner, { did, profileType: "agent", version: "1.0" }),
      transferProfile(owner, { did, email: "x@example.com" }),
      withdrawTransfer(owner, did),
      createProfileFor(owner, { userId: alice.userId, namespace: "x", handle: "x", name: "x" }),
      deleteProfileOf(owner, did),
    ];
    for (const one of await Promise.allSettled(tries)) {
      expect(one).toMatchObject({ status: "rejected", reason: { code: "PROF002" } });
    }
  });
});
