import type { PoolClient } from "pg";
import { describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { overtake } from "@/tests/support/collide";
import { shownTransfer } from "@/tests/support/dashboard-api";
import { clientOf, testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveSession,
  type Minted,
  mintAdmin,
  mintAgent,
  mintKeyPair,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { adminsLock } from "../../accounts/admins";
import { redeemLink, sweepLinks } from "../../accounts/links";
import { hashDid } from "../../accounts/new-profile";
import { addKey } from "../../agents/keys";
import { contextOf } from "../../context";
import { deleteAccount } from "../../erasure/delete-account";
import { answerTransfer } from "../../transfers/answer";
import { resumeAgent } from "../agents/change-agent";
import { listAdminEvents } from "../list-admin-events";
import { transferProfile } from "../profiles/transfer-profile";
import { changeRole, resumeUser, suspendUser } from "./change-user";
import { deleteUser } from "./delete-user";
import { endSessions } from "./end-sessions";
import { inviteUser, issueResetLink, listInvitations } from "./links";
import { findUser, listUsers } from "./list-users";

const engine = await testEngine();
const root = await mintAdmin(engine);

function adminEventsOf(subjectId: string) {
  return engine.db.adminEvent.findMany({ where: { subjectId }, orderBy: { at: "asc" } });
}

describe("a list of users", () => {
  test("is found by any part of address or name, whatever signs it has", async () => {
    const mark = newId("mark").slice(0, 16).toLowerCase();
    await engine.db.user.create({
      data: {
        createdAt: testNow,
        id: newId("usr"),
        email: `${mark}@example.com`,
        name: `100%_${mark}`,
      },
    });
    const found = async (search: string) =>
      (await listUsers(root.ctx, { search, limit: 10 })).users.map(({ email }) => email);
    expect(await found(mark.toUpperCase())).toEqual([`${mark}@example.com`]);
    expect(await found(`100%_${mark}`)).toEqual([`${mark}@example.com`]);
    expect(await found(`100x_${mark}`)).toEqual([]);
  });

  test("goes on where the page before ended, and tells no contents", async () => {
    await mintOwner(engine, { common: { identity: { displayName: "canary" } } });
    await mintOwner(engine);
    const first = await listUsers(root.ctx, { limit: 1 });
    const second = await listUsers(root.ctx, { limit: 1, after: first.next ?? undefined });
    expect(first.users[0]?.id).not.toBe(second.users[0]?.id);
    const all = await listUsers(root.ctx, { limit: 100 });
    expect(all.users.some(({ profiles }) => profiles === 1)).toBe(true);
    expect(JSON.stringify(all)).not.toContain("canary");
  });
});

describe("suspending a user", () => {
  test("suspends the agents that they registered, and resuming resumes those and no others", async () => {
    const { userId } = await mintOwner(engine);
    const theirs = { registeredBy: userId, origin: "user" } as const;
    const agents = [
      await mintAgent(engine, theirs),
      await mintAgent(engine, { ...theirs, state: "suspended", stateReason: "Complaints." }),
      await mintAgent(engine, { ...theirs, origin: "admin" }),
    ];
    const states = async () => {
      const rows = agents.map(({ did }) =>
        engine.db.agent.findUniqueOrThrow({ where: { did }, select: { state: true } }),
      );
      return (await Promise.all(rows)).map(({ state }) => state);
    };
    await suspendUser(root.ctx, userId);
    expect(await states()).toEqual(["suspended", "suspended", "active"]);
    await resumeUser(root.ctx, userId);
    expect(await states()).toEqual(["active", "suspended", "active"]);
  });

  test("ends every session at once, and stands in both logs", async () => {
    const alice = await mintOwner(engine);
    await giveSession(engine, alice);
    await suspendUser(root.ctx, alice.userId);
    expect(await engine.db.session.count({ where: { userId: alice.userId } })).toBe(0);
    expect(await findUser(root.ctx, alice.userId)).toMatchObject({ state: "suspended" });
    expect(await adminEventsOf(alice.userId)).toMatchObject([
      { verb: "suspendUser", before: { state: "active" }, after: { state: "suspended" } },
    ]);
    expect(await eventsOf(engine, alice.profileId)).toMatchObject([
      { verb: "suspendUser", actor: "admin", actorId: root.userId },
    ]);
    await resumeUser(root.ctx, alice.userId);
    expect(await findUser(root.ctx, alice.userId)).toMatchObject({ state: "active" });
  });
});

describe("the last admin", () => {
  async function onlyAdmins(count: number) {
    await engine.db.user.updateMany({ where: { role: "admin" }, data: { role: "user" } });
    return Promise.all(Array.from({ length: count }, () => mintAdmin(engine)));
  }

  test("cannot be demoted or suspended", async () => {
    const [last] = await onlyAdmins(1);
    if (last === undefined) throw new Error("no admin");
    const { ctx, userId } = last;
    await expect(changeRole(ctx, { userId, role: "user" })).rejects.toMatchObject({
      code: "PROF006",
    });
    await expect(suspendUser(ctx, userId)).rejects.toMatchObject({ code: "PROF006" });
    await engine.db.user.update({ where: { id: root.userId }, data: { role: "admin" } });
  });

  test("is left over when all admins demote each other at once", async () => {
    const admins = await onlyAdmins(6);
    const turns = admins.map(({ ctx }, place) => {
      const userId = admins[(place + 1) % admins.length]?.userId ?? "";
      return changeRole(ctx, { userId, role: "user" });
    });
    await Promise.allSettled(turns);
    const left = await engine.db.user.count({ where: { role: "admin", state: "active" } });
    expect(left).toBeGreaterThanOrEqual(1);
    await engine.db.user.update({ where: { id: root.userId }, data: { role: "admin" } });
  });

  test("is left over when they demote, suspend and delete each other and themselves at once", async () => {
    const admins = await onlyAdmins(8);
    const turns = admins.map(({ ctx, userId: own }, place) => {
      const userId = admins[(place + 1) % admins.length]?.userId ?? "";
      if (place % 4 === 0) return deleteAccount(ctx);
      if (place % 4 === 1) return deleteUser(ctx, userId);
      if (place % 4 === 2) return suspendUser(ctx, userId);
      return changeRole(ctx, { userId: own, role: "user" });
    });
    await Promise.allSettled(turns);
    const left = await engine.db.user.count({ where: { role: "admin", state: "active" } });
    expect(left).toBeGreaterThanOrEqual(1);
    await engine.db.user.update({ where: { id: root.userId }, data: { role: "admin" } });
  });
});

describe("deleting a user", () => {
  test("erases the account and its profiles as its owner would, and leaves hashes", async () => {
    const alice = await mintOwner(engine);
    const other = await mintOwner(engine);
    await giveSession(engine, alice);
    await deleteUser(root.ctx, alice.userId);
    expect(await engine.db.user.count({ where: { id: alice.userId } })).toBe(0);
    expect(await engine.db.profile.count({ where: { id: alice.profileId } })).toBe(0);
    expect(await engine.db.profile.count({ where: { id: other.profileId } })).toBe(1);
    const events = await adminEventsOf(alice.userId);
    expect(events).toMatchObject([
      { verb: "deleteUser", after: { profiles: [expect.stringMatching(/^sha256:/)] } },
    ]);
    expect(JSON.stringify(events)).not.toContain(alice.did);
    await expect(deleteUser(root.ctx, alice.userId)).rejects.toMatchObject({ code: "PROF003" });
  });

  test("a profile that is handed to somebody while they are deleted goes with them or stays", async () => {
    const [alice, bob] = [await mintOwner(engine), await mintOwner(engine)];
    const { email } = await findUser(root.ctx, bob.userId);
    const { did } = alice;
    await transferProfile(root.ctx, { did, email });
    await answerTransfer(signedIn(engine, bob), await shownTransfer(engine, did));
    await Promise.allSettled([
      answerTransfer(signedIn(engine, alice), await shownTransfer(engine, did)),
      deleteUser(root.ctx, bob.userId),
    ]);
    const left = await engine.db.profile.findUnique({ where: { did: alice.did } });
    const retired = await engine.db.retiredDid.count({ where: { didHash: hashDid(alice.did) } });
    expect([left?.ownerId, retired]).toEqual(left === null ? [undefined, 1] : [alice.userId, 0]);
  });
});

describe("a former admin", () => {
  const endings = {
    demoted: (userId: string) => changeRole(root.ctx, { userId, role: "user" }),
    suspended: (userId: string) => suspendUser(root.ctx, userId),
    deleted: (userId: string) => deleteUser(root.ctx, userId),
  };
  const refusal = (work: Promise<unknown>) => work.then(() => null).catch(({ code }) => code);

  test.each(["demoted", "suspended", "deleted"] as const)(
    "who is %s signs no more with the keys that they added to agents, and the log says how many",
    async (ending) => {
      const [former, other] = [await mintAdmin(engine), await mintAdmin(engine)];
      const owner = await mintOwner(engine, { policies: [{}] });
      const agents = [
        await mintAgent(engine),
        await mintAgent(engine, { origin: "admin", registeredBy: other.userId }),
      ];
      const clientWith = async ({ ctx }: typeof root, { did }: Minted) => {
        const { privateKey, publicKey } = mintKeyPair();
        await addKey(ctx, { did, publicKey: Buffer.from(publicKey) });
        return clientOf(engine, { did, privateKey });
      };
      const ended = await Promise.all(agents.map((agent) => clientWith(former, agent)));
      const lasting = await Promise.all(agents.map((agent) => clientWith(other, agent)));
      await endings[ending](former.userId);
      for (const client of ended) {
        expect(await refusal(client.getProfile({ did: owner.did }))).toBe("PROF001");
      }
      for (const client of [...lasting, ...agents.map(({ client }) => client)]) {
        expect(await refusal(client.getProfile({ did: owner.did }))).toBeNull();
      }
      expect(await adminEventsOf(former.userId)).toMatchObject([{ after: { revokedKeys: 2 } }]);
      const by = ending === "deleted" ? "unknown" : former.userId;
      expect(await engine.db.key.count({ where: { addedBy: by, slot: null } })).toBe(2);
    },
  );

  test.each(["demoted", "suspended", "deleted"] as const)(
    "who is %s leaves the agents that they registered as an admin suspended, until another admin resumes them",
    async (ending) => {
      const former = await mintAdmin(engine);
      const owner = await mintOwner(engine, { policies: [{}] });
      const theirs = { origin: "admin", registeredBy: former.userId } as const;
      const [agent, resumed] = [await mintAgent(engine, theirs), await mintAgent(engine, theirs)];
      const reads = ({ client }: Minted) => refusal(client.getProfile({ did: owner.did }));
      await endings[ending](former.userId);
      expect(await reads(agent)).toBe("PROF002");
      await resumeAgent(root.ctx, { did: resumed.did });
      expect(await reads(resumed)).toBeNull();
      if (ending === "deleted") return;
      const [{ after } = { after: null }] = await adminEventsOf(former.userId);
      expect(after).toMatchObject({ suspendedAgents: 2 });
      const back = ending === "demoted" ? { role: "admin" as const } : null;
      if (back) await changeRole(root.ctx, { userId: former.userId, ...back });
      else await resumeUser(root.ctx, former.userId);
      expect(await reads(agent)).toBeNull();
    },
  );

  test.each([[], ["suspended"]] as const)(
    "who is demoted leaves an agent of their own, approved and verified by themselves, suspended: %s",
    async (...before) => {
      const former = await mintAdmin(engine);
      const owner = await mintOwner(engine, { policies: [{}] });
      const theirs = { origin: "user", registeredBy: former.userId, verified: true } as const;
      const agent = await mintAgent(engine, theirs);
      if (before.length > 0) await suspendUser(root.ctx, former.userId);
      await changeRole(root.ctx, { userId: former.userId, role: "user" });
      if (before.length > 0) await resumeUser(root.ctx, former.userId);
      const reading = agent.client.getProfile({ did: owner.did });
      expect(await refusal(reading)).toBe("PROF002");
    },
  );

  test("whose key is being added at that moment has it revoked, or is refused", async () => {
    const former = await mintAdmin(engine);
    const { did } = await mintAgent(engine);
    const publicKey = Buffer.from(mintKeyPair().publicKey);
    await Promise.allSettled([
      addKey(former.ctx, { did, publicKey }),
      changeRole(root.ctx, { userId: former.userId, role: "user" }),
    ]);
    const addedBy = former.userId;
    expect(await engine.db.key.count({ where: { addedBy, slot: { not: null } } })).toBe(0);
  });
});

describe("a demoted admin", () => {
  test("changes nothing more, also with a context from before", async () => {
    const before = await mintAdmin(engine);
    const alice = await mintOwner(engine);
    await changeRole(root.ctx, { userId: before.userId, role: "user" });
    await expect(suspendUser(before.ctx, alice.userId)).rejects.toMatchObject({ code: "PROF002" });
    expect(await findUser(root.ctx, alice.userId)).toMatchObject({ state: "active" });
  });
});

describe("links", () => {
  test("invite once an address: the earlier one is gone, and only hashes are kept", async () => {
    const email = `${newId("new")}@example.com`.toLowerCase();
    await inviteUser(root.ctx, { email, role: "user" });
    const { token } = await inviteUser(root.ctx, { email, role: "admin" });
    const rows = await engine.db.oneTimeLink.findMany({ where: { email } });
    expect(rows).toMatchObject([{ purpose: "invitation", role: "admin", createdBy: root.userId }]);
    expect(JSON.stringify(rows)).not.toContain(token);
    const { events } = await listAdminEvents(root.ctx, { subject: email, limit: 5 });
    const event = { verb: "inviteUser", subjectName: email };
    expect(events).toMatchObject([event, event]);
    expect(JSON.stringify(await engine.db.adminEvent.findMany())).not.toContain(email);
  });

  test("that invite are listed to admins until they are used or over", async () => {
    const [used, open] = [1, 2].map(() => `${newId("new")}@example.com`.toLowerCase());
    if (used === undefined || open === undefined) throw new Error("two addresses were made");
    const { token } = await inviteUser(root.ctx, { email: used, role: "user" });
    await inviteUser(root.ctx, { email: open, role: "admin" });
    const typed = { email: used, handle: newId("new"), name: "New", passwordHash: "x" };
    await redeemLink(root.ctx, { ...typed, token, namespace: "local" });
    const listed = await listInvitations(root.ctx);
    expect(listed).toContainEqual(expect.objectContaining({ email: open, role: "admin" }));
    expect(listed.map(({ email }) => email)).not.toContain(used);
    const later = new Date(root.ctx.now.getTime() + 8 * 24 * 60 * 60_000);
    expect(await listInvitations({ ...root.ctx, now: later })).toEqual([]);
    const owner = signedIn(engine, await mintOwner(engine));
    await expect(listInvitations(owner)).rejects.toMatchObject({ code: "PROF002" });
  });

  test("invite an address once, also when another admin invites it at the same moment", async () => {
    const email = `${newId("new")}@example.com`.toLowerCase();
    const other = async (client: PoolClient) => {
      await client.query("SELECT pg_advisory_xact_lock($1)", [adminsLock]);
      await client.query(
        `INSERT INTO "OneTimeLink" ("tokenHash", purpose, email, "createdAt", "expiresAt")
         VALUES (sha256('other'), 'invitation', $1, $2::timestamptz, $2::timestamptz + interval '1 day')`,
        [email, testNow],
      );
    };
    const invite = () => inviteUser(root.ctx, { email, role: "user" });
    expect(await overtake(engine, other, invite)).toMatchObject({ status: "fulfilled" });
    const links = await engine.db.oneTimeLink.findMany({ where: { email } });
    expect(links).toMatchObject([{ createdBy: root.userId }]);
  });

  test("lead to the account that the admins' log names from the invitation on", async () => {
    const email = `${newId("new")}@example.com`.toLowerCase();
    const { token } = await inviteUser(root.ctx, { email, role: "user" });
    const typed = { email, handle: newId("new"), name: "New", passwordHash: "x" };
    const { userId } = await redeemLink(root.ctx, { ...typed, token, namespace: "local" });
    await suspendUser(root.ctx, userId);
    const { events } = await listAdminEvents(root.ctx, { subject: email.toUpperCase(), limit: 5 });
    expect(events.map(({ verb }) => verb).sort()).toEqual([
      "inviteUser",
      "redeemInvitation",
      "suspendUser",
    ]);
    expect(new Set(events.map(({ subjectId }) => subjectId))).toEqual(new Set([userId]));
    await deleteUser(root.ctx, userId);
    const after = await listAdminEvents(root.ctx, { subject: userId, limit: 5 });
    expect(after.events).toHaveLength(4);
    expect(JSON.stringify(after)).not.toContain(email);
  });

  test("are forgotten with their address once their time is over", async () => {
    const email = `${newId("new")}@example.com`.toLowerCase();
    await inviteUser(root.ctx, { email, role: "user" });
    const weekMs = 7 * 24 * 60 * 60_000;
    await sweepLinks(engine.db, new Date(testNow.getTime() + weekMs - 1));
    expect(await engine.db.oneTimeLink.count({ where: { email } })).toBe(1);
    await sweepLinks(engine.db, new Date(testNow.getTime() + weekMs));
    expect(await engine.db.oneTimeLink.count({ where: { email } })).toBe(0);
  });

  test("are refused for an address that has an account", async () => {
    const alice = await mintOwner(engine);
    const { email } = await findUser(root.ctx, alice.userId);
    await expect(inviteUser(root.ctx, { email, role: "user" })).rejects.toMatchObject({
      code: "PROF006",
    });
  });

  test("to a new password are told to the owner", async () => {
    const alice = await mintOwner(engine);
    await issueResetLink(root.ctx, alice.userId);
    expect(await eventsOf(engine, alice.profileId)).toMatchObject([
      { verb: "issueResetLink", actor: "admin" },
    ]);
  });
});

describe("everybody else", () => {
  test("is refused every verb over users", async () => {
    const alice = await mintOwner(engine);
    const callers = [
      signedIn(engine, alice),
      contextOf(engine, { kind: "nobody" }),
      contextOf(engine, { kind: "agent", ...(await mintAgent(engine)) }),
      contextOf(engine, { kind: "gateway" }),
    ];
    for (const ctx of callers) {
      const { userId } = alice;
      const tries = [
        listUsers(ctx, { limit: 1 }),
        findUser(ctx, userId),
        suspendUser(ctx, userId),
        resumeUser(ctx, userId),
        changeRole(ctx, { userId, role: "admin" }),
        deleteUser(ctx, userId),
        inviteUser(ctx, { email: "x@example.com", role: "admin" }),
        issueResetLink(ctx, userId),
      ];
      for (const one of await Promise.allSettled(tries)) {
        expect(one).toMatchObject({ status: "rejected", reason: { code: "PROF002" } });
      }
    }
  });
});

// The last, as they end the session of `root` as well.
describe("ending sessions", () => {
  test.each([
    ["of one user", ({ userId }: Owner) => userId],
    ["of everybody", () => undefined],
  ])("%s waits for a sign-in that is under way, and ends it", async (_whose, idOf) => {
    const alice = await mintOwner(engine);
    const signIn = async (client: PoolClient) => {
      await client.query(`UPDATE "User" SET "lastSeenAt" = $2 WHERE id = $1`, [
        alice.userId,
        testNow,
      ]);
      await client.query(
        `INSERT INTO "Session" ("tokenHash", id, "userId", "createdAt", "lastSeenAt", "confirmedAt", "expiresAt")
         VALUES (sha256('x'), $2, $1, $3, $3, $3, $3::timestamptz + interval '1 day')`,
        [alice.userId, newId("ses"), testNow],
      );
    };
    const shell = contextOf(engine, { kind: "shell" });
    const ended = await overtake(engine, signIn, () => endSessions(shell, idOf(alice)));
    expect(ended).toMatchObject({ status: "fulfilled" });
    expect(await engine.db.session.count({ where: { userId: alice.userId } })).toBe(0);
  });
});
