import { describe, expect, test } from "vitest";
import type { Prisma } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";
import { clientOf, testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  givePolicy,
  giveSession,
  giveToken,
  mintAdmin,
  mintAgent,
  mintKeyPair,
  mintOwner,
  type Owner,
  type PolicyGiven,
  signedIn,
} from "@/tests/support/personas";
import { changeRole, suspendUser } from "../admin/users/change-user";
import { inviteUser, issueResetLink } from "../admin/users/links";
import type { Ctx } from "../context";
import { applyTemplate } from "../policies/template";
import { startApproving } from "../proposals/rules/approve-rules";
import { arrive, linkIdentity, listIdentities } from "./identities";
import { findLink, issueFirstAdminLink, redeemLink } from "./links";
import { listHoldings, nameOf, shownMax } from "./reset-holdings";
import { resetPassword } from "./reset-password";
import { createSecretToken, hashSecretToken } from "./secret-token";

const engine = await testEngine();
const { db, pool, live, shares, cache } = engine;

function at(now: Date, caller: Ctx["caller"]): Ctx {
  return {
    db,
    pool,
    caller,
    now,
    requestId: "req_test",
    shares,
    cache,

    announce: live.announce,
  };
}
const gateway = at(testNow, { kind: "gateway" });
const nobody = at(testNow, { kind: "nobody" });
const anHourLater = at(new Date(testNow.getTime() + 60 * 60_000), { kind: "nobody" });
let people = 0;

async function isLinkLive(ctx: Ctx, token: string): Promise<boolean> {
  return (await findLink(ctx, token)) !== null;
}

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
  test("is stored only as a hash", async () => {
    await fresh();
    const token = await issue();
    const rows = await db.oneTimeLink.findMany();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows[0]?.tokenHash).toEqual(hashSecretToken(token));
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
    const person = at(testNow, { kind: "person", userId: "usr_x", role: "admin", sessionId: null });
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

  test("works from every instance that started at once, and the first that is used ends the others", async () => {
    await fresh();
    const tokens = await Promise.all(Array.from({ length: 6 }, issue));
    for (const token of tokens) expect(await isLinkLive(nobody, token)).toBe(true);
    const tries = tokens.map((token) => redeemLink(nobody, newcomer(token)));
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await db.user.count({ where: { role: "admin" } })).toBe(1);
    for (const token of tokens) expect(await isLinkLive(nobody, token)).toBe(false);
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

describe("an invitation", () => {
  async function invited(role: "user" | "admin" = "user") {
    const root = await mintAdmin(engine);
    people += 1;
    const email = `invited${people}@example.com`;
    const { token } = await inviteUser(root.ctx, { email, role });
    return { root, email, token };
  }

  test("makes the account it names, with its role, whatever was typed", async () => {
    const { email, token } = await invited("admin");
    expect(await findLink(nobody, token)).toEqual({ purpose: "invitation", email, role: "admin" });
    const { userId } = await redeemLink(nobody, newcomer(token));
    const user = await db.user.findUniqueOrThrow({ where: { id: userId } });
    expect(user).toMatchObject({ email, role: "admin" });
    expect(await db.adminEvent.findMany({ where: { adminId: userId } })).toMatchObject([
      { verb: "redeemInvitation", subjectId: userId, after: { role: "admin" } },
    ]);
  });

  test("makes exactly one account however many use it at once", async () => {
    const { email, token } = await invited();
    const tries = Array.from({ length: 8 }, () => redeemLink(nobody, newcomer(token)));
    const settled = await Promise.allSettled(tries);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await db.user.count({ where: { email } })).toBe(1);
  });

  test("is dead after a week, after a new one, and once its maker is no admin", async () => {
    const week = at(new Date(testNow.getTime() + 7 * 24 * 60 * 60_000), { kind: "nobody" });
    const late = await invited();
    await expect(redeemLink(week, newcomer(late.token))).rejects.toMatchObject({ code: "PROF003" });

    const earlier = await invited();
    await inviteUser(earlier.root.ctx, { email: earlier.email, role: "user" });
    const again = redeemLink(nobody, newcomer(earlier.token));
    await expect(again).rejects.toMatchObject({ code: "PROF003" });

    const [demoted, suspended, other] = [await invited(), await invited(), await mintAdmin(engine)];
    await changeRole(other.ctx, { userId: demoted.root.userId, role: "user" });
    await suspendUser(other.ctx, suspended.root.userId);
    expect(await findLink(nobody, demoted.token)).toBeNull();
    expect(await findLink(nobody, suspended.token)).toBeNull();
  });
});

describe("a reset link", () => {
  async function reset() {
    const root = await mintAdmin(engine);
    const owner = await mintOwner(engine);
    await giveSession(engine, owner);
    const { token } = await issueResetLink(root.ctx, owner.userId);
    return { owner, token };
  }

  const shown = async (token: string) => nameOf(await listHoldings(nobody, token));

  test("sets the password, ends every session, and stands in both logs", async () => {
    const { owner, token } = await reset();
    await resetPassword(nobody, { token, passwordHash: "new", keep: null });
    const user = await db.user.findUniqueOrThrow({ where: { id: owner.userId } });
    expect(user.passwordHash).toBe("new");
    expect(await db.session.count({ where: { userId: owner.userId } })).toBe(0);
    expect(await findLink(nobody, token)).toBeNull();
    expect(await db.adminEvent.findMany({ where: { adminId: owner.userId } })).toMatchObject([
      { verb: "resetPassword", subjectId: owner.userId },
    ]);
    const events = await eventsOf(engine, owner.profileId);
    expect(events.map(({ verb, actor }) => [verb, actor]).sort()).toEqual([
      ["issueResetLink", "admin"],
      ["resetPassword", "owner"],
    ]);
  });

  test("leaves no other way in: what was linked is unlinked, and its owner is told", async () => {
    const { owner, token } = await reset();
    const linked = { provider: "github", providerAccountId: newId("gh") };
    await linkIdentity(signedIn(engine, owner), linked);
    await resetPassword(nobody, { token, passwordHash: "new", keep: null });
    expect(await listIdentities(signedIn(engine, owner))).toEqual([]);
    const stranger = { ...linked, email: null, name: "Octo", handle: "octo", namespace: "local" };
    expect(await arrive(nobody, { ...stranger, open: true })).toEqual({ outcome: "no e-mail" });
    const resets = await db.adminEvent.findMany({ where: { verb: "resetPassword" } });
    expect(resets.find(({ adminId }) => adminId === owner.userId)).toMatchObject({
      after: { ended: 2, unlinked: ["github"] },
    });
    const events = await eventsOf(engine, owner.profileId);
    expect(events.find(({ verb }) => verb === "resetPassword")).toMatchObject({
      detail: { unlinked: ["github"] },
    });
  });

  test("ends every other open link of the person, and those they made", async () => {
    const { owner, token } = await reset();
    const { email } = await db.user.findUniqueOrThrow({ where: { id: owner.userId } });
    const expiresAt = new Date(testNow.getTime() + 60_000);
    const open = async (
      link: Pick<Prisma.OneTimeLinkCreateInput, "purpose" | "email" | "createdBy">,
    ) => {
      const { token: other, tokenHash } = createSecretToken();
      await db.oneTimeLink.create({ data: { createdAt: testNow, ...link, tokenHash, expiresAt } });
      return other;
    };
    const links = [
      await open({ purpose: "password_reset", email }),
      await open({ purpose: "invitation", email: "m@example.com", createdBy: owner.userId }),
      await open({ purpose: "password_reset", email: "other@example.com" }),
    ];
    await resetPassword(nobody, { token, passwordHash: "new", keep: null });
    const lasting = links.map((link) => isLinkLive(nobody, link));
    expect(await Promise.all(lasting)).toEqual([false, false, true]);
  });

  describe("with a key and a token that somebody else may hold", () => {
    async function stolen() {
      const { owner, token } = await reset();
      const agent = await mintAgent(engine);
      const policy = await givePolicy(engine, owner.profileId, { agentPattern: agent.did });
      const held = await giveToken(engine, { owner, agent, policyId: policy.id });
      const reads = async () => ({
        byKey: await readsWith(owner.client.getProfile({ did: owner.did })),
        byToken: await readsWith(held.client.getOwnProfile({})),
      });
      return { owner, agent, token, held, reads };
    }

    const readsWith = (reading: Promise<unknown>) =>
      reading.then(() => "reads").catch(({ code }) => code);

    test("lists both to its holder, and to nobody once it was used", async () => {
      const { owner, agent, token, held } = await stolen();
      await mintOwner(engine);
      expect(await listHoldings(nobody, token)).toMatchObject({
        keys: [{ did: owner.did, label: null }],
        tokens: [
          {
            id: held.id,
            did: owner.did,
            agent: { did: agent.did, name: "Iris" },
            lastUsedAt: null,
          },
        ],
      });
      const nothing = { keys: [], tokens: [], rules: [], isCut: false };
      expect(await listHoldings(nobody, createSecretToken().token)).toEqual(nothing);
      await resetPassword(nobody, { token, passwordHash: "new", keep: null });
      expect(await listHoldings(nobody, token)).toEqual(nothing);
    });

    test("revokes both, and says so in the log of the profile", async () => {
      const { owner, token, held, reads } = await stolen();
      expect(await reads()).toEqual({ byKey: "reads", byToken: "reads" });
      await resetPassword(nobody, { token, passwordHash: "new", keep: null });
      expect(await reads()).toEqual({ byKey: "PROF001", byToken: "PROF001" });
      const policies = await db.policy.findMany({ where: { profileId: owner.profileId } });
      expect(policies.map(({ enabled }) => enabled)).toEqual([false]);
      const events = await eventsOf(engine, owner.profileId);
      expect(events.find(({ verb }) => verb === "resetPassword")).toMatchObject({
        detail: { revoked: { keys: [expect.stringMatching(/^key_/)], tokens: [held.id] } },
      });
    });

    test("ends what decides about proposals in the owner's place, also where everything shown is kept", async () => {
      const { owner, token } = await stolen();
      const { did: agentDid } = await mintAgent(engine);
      const rule = { categories: ["prof:interests"], confidenceMin: 1, days: 30, usesMax: 100 };
      await startApproving(signedIn(engine, owner), { did: owner.did, agentDid, ...rule });
      const keep = nameOf(await listHoldings(nobody, token));
      await resetPassword(nobody, { token, passwordHash: "new", keep });
      const where = { profileId: owner.profileId, endedAt: null };
      expect(await db.approveRule.count({ where })).toBe(0);
    });

    test("ends and lists the keys of the agents that they registered, and those they added to others", async () => {
      const { owner, token } = await reset();
      const [evil, trusted] = [
        await mintAgent(engine, { origin: "user", registeredBy: owner.userId }),
        await mintAgent(engine),
      ];
      const { privateKey, publicKey } = mintKeyPair();
      const added = {
        id: newId("key"),
        did: trusted.did,
        publicKey,
        addedBy: owner.userId,
        slot: 2,
        createdAt: testNow,
      };
      await db.key.create({ data: added });
      const { did } = await mintOwner(engine, { policies: [{}] });
      const asks = () =>
        Promise.all(
          [evil.client, clientOf(engine, { did: trusted.did, privateKey }), trusted.client].map(
            (client) => readsWith(client.getProfile({ did })),
          ),
        );
      expect(await asks()).toEqual(["reads", "reads", "reads"]);
      const { keys } = await listHoldings(nobody, token);
      const named = keys.map((key) => key.agent?.did);
      expect(named.sort()).toEqual([evil.did, trusted.did, undefined].sort());
      await resetPassword(nobody, { token, passwordHash: "new", keep: null });
      expect(await asks()).toEqual(["PROF001", "PROF001", "reads"]);
    });

    test("leaves none that was added since its holder saw the list, and then resets nothing", async () => {
      const { owner, token, held, reads } = await stolen();
      const keep = await shown(token);
      await givePolicy(engine, owner.profileId, { allow: ["prof:*"] });
      const late = resetPassword(nobody, { token, passwordHash: "new", keep });
      await expect(late).rejects.toMatchObject({ code: "PROF006" });
      expect(await reads()).toEqual({ byKey: "reads", byToken: "reads" });
      await resetPassword(nobody, { token, passwordHash: "new", keep: await shown(token) });
      expect(await db.connectionToken.findUnique({ where: { id: held.id } })).toMatchObject({
        revokedAt: null,
      });
    });

    test("leaves none where there is more than its holder was shown", async () => {
      const { owner, token } = await stolen();
      const rule = {
        profileId: owner.profileId,
        agentPattern: "did:prof:agent:*:*",
        origin: "owner" as const,
        allow: ["prof:interests"],
        permissions: ["read" as const],
        createdAt: testNow,
        updatedAt: testNow,
      };
      const more = Array.from({ length: shownMax + 1 }, () => ({ ...rule, id: newId("pol") }));
      await db.policy.createMany({ data: more });
      expect(await listHoldings(nobody, token)).toMatchObject({ isCut: true });
      const late = resetPassword(nobody, { token, passwordHash: "new", keep: await shown(token) });
      await expect(late).rejects.toMatchObject({ code: "PROF006" });
    });

    test("leaves both where its holder says so", async () => {
      const { token, reads } = await stolen();
      await resetPassword(nobody, { token, passwordHash: "new", keep: await shown(token) });
      expect(await reads()).toEqual({ byKey: "reads", byToken: "reads" });
    });
  });

  describe("with rules that somebody else may have made", () => {
    async function balanced(owner: Owner): Promise<string[]> {
      await applyTemplate(signedIn(engine, owner), { did: owner.did, template: "balanced" });
      const rules = await db.policy.findMany({ where: { profileId: owner.profileId } });
      return rules.map(({ id }) => id);
    }

    async function planted() {
      const { owner, token } = await reset();
      const agent = await mintAgent(engine, { name: "Nova" });
      const { profileId } = owner;
      const give = (policy: PolicyGiven) => givePolicy(engine, profileId, policy);
      const agentPattern = agent.did;
      const kept = await balanced(owner);
      const opening = [
        await give({ agentPattern, origin: "owner", allow: ["prof:health"] }),
        await give({ agentPattern, origin: "consent", allow: ["prof:financial"] }),
        // An import keeps the origin that its file names.
        await give({ agentPattern, origin: "template", allow: ["prof:identity"] }),
      ];
      const lasting = [
        ...kept,
        (await give({ origin: "owner", allow: [], deny: ["prof:interests.films"] })).id,
      ];
      await give({ origin: "owner", enabled: false });
      await give({ origin: "owner", expiresAt: testNow });
      await give({ origin: "owner", permissions: [] });
      await giveMemory(engine, profileId, { category: "prof:health" });
      const reads = async () =>
        Object.keys((await agent.client.getProfile({ did: owner.did })).data?.memories ?? {});
      const ids = opening.map(({ id }) => id);
      return { owner, token, agent, reads, give, ids, lasting };
    }

    const enabledOf = async (ids: string[]) =>
      db.policy.count({ where: { id: { in: ids }, enabled: true } });

    test("lists what they open, with the agent and its scopes", async () => {
      const { owner, token, agent, ids } = await planted();
      const { rules } = await listHoldings(nobody, token);
      expect(rules.map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect(rules.find(({ id }) => id === ids[0])).toEqual({
        id: ids[0],
        did: owner.did,
        agentPattern: agent.did,
        agent: { did: agent.did, name: "Nova", verified: false },
        verifiedOnly: false,
        permissions: ["read"],
        scopes: ["prof:health"],
        scopeCount: 1,
        updatedAt: expect.any(Date),
      });
    });

    const reading = {
      allow: ["prof:preferences"],
      permissions: ["read"],
      verifiedOnly: true,
    } satisfies PolicyGiven;
    const ofATemplate: [string, PolicyGiven][] = [
      ["the template Open", { permissions: ["read", "propose"] }],
      ["all that an import opens", { permissions: ["read"] }],
      ["preferences, for agents that are not verified", { ...reading, verifiedOnly: false }],
      ["preferences, for one agent", { ...reading, agentPattern: "did:prof:agent:local:nova" }],
      ["preferences, with a denial", { ...reading, deny: ["prof:interests"] }],
      ["preferences, for one purpose", { ...reading, purposes: ["research"] }],
      ["preferences, for a while", { ...reading, expiresAt: new Date(testNow.getTime() + 1) }],
      ["preferences, with short receipts", { ...reading, receiptSeconds: 60 }],
      ["preferences, with a retention", { ...reading, maxRetention: "P1D" }],
    ];

    test.each(ofATemplate)(
      "lists and switches off a rule that is not exactly one of Balanced: %s",
      async (_what, policy) => {
        const { owner, token } = await reset();
        const kept = await balanced(owner);
        const { id } = await givePolicy(engine, owner.profileId, { ...policy, origin: "template" });
        const { rules } = await listHoldings(nobody, token);
        expect(rules.map((rule) => rule.id)).toEqual([id]);
        await resetPassword(nobody, { token, passwordHash: "new", keep: null });
        expect(await enabledOf([id])).toBe(0);
        expect(await enabledOf(kept)).toBe(kept.length);
      },
    );

    test("lets nobody read on after the template Open was put in place", async () => {
      const { owner, token, reads } = await planted();
      await applyTemplate(signedIn(engine, owner), { did: owner.did, template: "open" });
      await giveMemory(engine, owner.profileId, { category: "prof:interests" });
      await resetPassword(nobody, { token, passwordHash: "new", keep: null });
      expect(await reads()).toEqual([]);
    });

    test("lists of a rule for many agents its pattern, and of many scopes the first", async () => {
      const { owner, token } = await reset();
      const agentPattern = "did:prof:agent:evil:*";
      const allow = ["prof:a", "prof:b", "prof:c", "prof:d", "prof:e"];
      await givePolicy(engine, owner.profileId, { agentPattern, allow, origin: "owner" });
      expect((await listHoldings(nobody, token)).rules).toMatchObject([
        { agentPattern, agent: null, scopes: allow.slice(0, 4), scopeCount: 5 },
      ]);
    });

    test("switches them off, and lists their ids in the log of the profile", async () => {
      const { owner, token, reads, ids, lasting } = await planted();
      expect(await reads()).toEqual(["prof:health"]);
      await resetPassword(nobody, { token, passwordHash: "new", keep: null });
      expect(await reads()).toEqual([]);
      expect([await enabledOf(ids), await enabledOf(lasting)]).toEqual([0, lasting.length]);
      expect(await db.policy.count({ where: { id: { in: ids } } })).toBe(ids.length);
      const events = await eventsOf(engine, owner.profileId);
      const event = events.find(({ verb }) => verb === "resetPassword");
      expect(event).toMatchObject({
        detail: { revoked: { tokens: [], policies: expect.arrayContaining(ids) } },
      });
      const admin = await db.adminEvent.findFirst({
        where: { verb: "resetPassword", subjectId: owner.userId },
      });
      expect(admin).toMatchObject({ after: { keys: 1, tokens: 0, policies: ids.length } });
    });

    test("keeps denying what a rule denies that is switched off", async () => {
      const { owner, token, agent, give } = await planted();
      const { id } = await give({
        agentPattern: agent.did,
        origin: "owner",
        allow: ["prof:episodic"],
        deny: ["prof:preferences"],
      });
      await resetPassword(nobody, { token, passwordHash: "new", keep: null });
      expect(await enabledOf([id])).toBe(0);
      const denying = { enabled: true, agentPattern: agent.did };
      const where = { profileId: owner.profileId, ...denying };
      expect(await db.policy.findMany({ where })).toMatchObject([
        { origin: "owner", allow: [], deny: ["prof:preferences"] },
      ]);
    });

    test("leaves them where its holder says so", async () => {
      const { token, reads, ids } = await planted();
      await resetPassword(nobody, { token, passwordHash: "new", keep: await shown(token) });
      expect([await reads(), await enabledOf(ids)]).toEqual([["prof:health"], ids.length]);
    });
  });

  test("sets exactly one password however many use it at once", async () => {
    const { owner, token } = await reset();
    const tries = Array.from({ length: 8 }, (_none, n) =>
      resetPassword(nobody, { token, passwordHash: `new${n}`, keep: null }),
    );
    const settled = await Promise.allSettled(tries);
    const winners = settled.flatMap(({ status }, n) => (status === "fulfilled" ? [`new${n}`] : []));
    expect(winners).toHaveLength(1);
    const user = await db.user.findUniqueOrThrow({ where: { id: owner.userId } });
    expect(user.passwordHash).toBe(winners[0]);
  });

  test("is dead after an hour, is no invitation, and an invitation is none", async () => {
    const { token } = await reset();
    const late = resetPassword(anHourLater, { token, passwordHash: "new", keep: null });
    await expect(late).rejects.toMatchObject({ code: "PROF003" });
    await expect(redeemLink(nobody, newcomer(token))).rejects.toMatchObject({ code: "PROF003" });
    const root = await mintAdmin(engine);
    const email = "no-reset@example.com";
    const invitation = await inviteUser(root.ctx, { email, role: "user" });
    const wrong = resetPassword(nobody, {
      token: invitation.token,
      passwordHash: "new",
      keep: null,
    });
    await expect(wrong).rejects.toMatchObject({ code: "PROF003" });
    expect(await findLink(nobody, invitation.token)).not.toBeNull();
  });
});
