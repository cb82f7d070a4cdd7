import { beforeEach, describe, expect, test } from "vitest";
import { testEngine, testNow, tokenClient } from "@/tests/support/harness";
import {
  eventsOf,
  giveEvent,
  giveMemory,
  givePolicy,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { switchPolicy } from "../policies/policies";
import { removePolicy } from "../policies/remove";
import { revokeReceipt } from "../receipts/revoke-receipt";
import { issueToken, revokeToken } from "../tokens/tokens";
import { decideConsent, findConsent, listPendingConsents } from "./consents";
import { restoreAccess } from "./restore";
import { revokeAgent } from "./revoke-agent";
import { revokeCredentials } from "./revoke-credentials";

const engine = await testEngine({ LIMIT_ACCESS: "1000", LIMIT_PROFILE: "1000" });
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  agent = await mintAgent(engine);
  await giveMemory(engine, owner.profileId);
});

const ctx = () => signedIn(engine, owner);
const did = () => owner.did;
const refusal = (work: Promise<unknown>) => work.then(() => null).catch(({ code }) => code);
const pass = (minutes: number) =>
  engine.setNow(new Date(engine.now().getTime() + minutes * 60_000));

function ask(type: string) {
  const scopes = ["prof:interests"];
  return agent.client.requestAccess({ did: owner.did, scopes, purpose: { type } });
}

async function waiting(type = "personalization"): Promise<string> {
  await expect(ask(type)).rejects.toMatchObject({ code: "PROF004" });
  const requests = await listPendingConsents(ctx(), did());
  return requests.find(({ purposeType }) => purposeType === type)?.id ?? "";
}

function grant(requestId: string, choice: "once" | "1d" | "until_revoked" = "until_revoked") {
  const scopes = ["prof:interests"];
  return decideConsent(ctx(), { did: owner.did, requestId, scopes, choice });
}

async function reads(): Promise<boolean> {
  const { data } = await agent.client.getProfile({ did: owner.did });
  return Object.keys(data.memories).length > 0;
}

const disconnect = () => revokeAgent(ctx(), { did: owner.did, agentDid: agent.did });
const restore = (eventId: string, by = ctx()) => restoreAccess(by, { did: owner.did, eventId });
const tokenAsked = (scope: string) => ({
  did: owner.did,
  agentDid: agent.did,
  scopes: [scope],
  permissions: ["read" as const],
});

describe("a revocation that a disconnection followed", () => {
  test("is not taken back past the disconnection, but once that was taken back it is", async () => {
    const issued = await issueToken(ctx(), tokenAsked("prof:interests"));
    const { eventId: first } = await revokeToken(ctx(), { did: owner.did, tokenId: issued.id });
    pass(1);
    await grant(await waiting());
    pass(1);
    const { eventId: second } = await disconnect();
    pass(1);
    expect(await refusal(restore(first))).toBe("PROF006");
    expect(await reads()).toBe(false);
    await restore(second);
    await restore(first);
    expect(await reads()).toBe(true);
  });
});

describe("an undo that a revoked receipt followed", () => {
  const receiptId = async () => {
    const where = { profileId: owner.profileId, revokedAt: null };
    return (await engine.db.receipt.findFirstOrThrow({ where })).id;
  };
  const revoke = async () => revokeReceipt(ctx(), { did: did(), receiptId: await receiptId() });

  test.each([
    ["a disconnection", disconnect],
    ["an earlier receipt of that purpose", revoke],
  ])("of %s does not open its purpose again, until the later one is undone", async (_, end) => {
    await grant(await waiting());
    const { eventId: first } = await end();
    pass(1);
    await grant(await waiting());
    pass(1);
    const { eventId: second } = await revoke();
    pass(1);
    expect(await refusal(restore(first))).toBe("PROF006");
    expect(await reads()).toBe(false);
    await restore(second);
    await restore(first);
    expect(await reads()).toBe(true);
  });

  test("works where that was a receipt for another purpose", async () => {
    await grant(await waiting());
    const { eventId } = await disconnect();
    pass(1);
    await grant(await waiting("research"));
    await revoke();
    await restore(eventId);
    expect(await reads()).toBe(true);
  });
});

describe("taking a disconnection back", () => {
  test("gives back its grants, receipts, tokens and requests, and nothing else", async () => {
    await grant(await waiting());
    const { token } = await issueToken(ctx(), tokenAsked("prof:preferences"));
    const revoked = await issueToken(ctx(), tokenAsked("prof:preferences"));
    await revokeToken(ctx(), { did: owner.did, tokenId: revoked.id });
    pass(1);
    const requestId = await waiting("research");
    const { eventId } = await disconnect();
    expect(await reads()).toBe(false);
    pass(9);

    expect(await restore(eventId)).toEqual({ ended: 0, restored: 4, requests: 1 });

    expect(await reads()).toBe(true);
    expect((await tokenClient(engine, token).getOwnProfile({})).status).toBe(200);
    const stillRevoked = tokenClient(engine, revoked.token).getOwnProfile({});
    await expect(stillRevoked).rejects.toMatchObject({ code: "PROF001" });
    expect((await findConsent(ctx(), { did: owner.did, requestId }))?.status).toBe("pending");
  });

  test("leaves one event of the owner's, and the ended ids in the event that it names", async () => {
    await grant(await waiting());
    const { eventId } = await disconnect();
    await restore(eventId);
    const events = await eventsOf(engine, owner.profileId);
    expect(events.filter(({ verb }) => verb === "restoreAccess")).toEqual([
      expect.objectContaining({
        ...{ actor: "owner", subjectId: eventId, outcome: "ok" },
        detail: { agentDid: agent.did, ended: 0, restored: 2, requests: 0 },
      }),
    ]);
    const { detail } = events.find(({ id }) => id === eventId) ?? {};
    expect(detail).toMatchObject({
      policies: 1,
      ended: { policies: [expect.any(String)], receipts: [expect.any(String)], tokens: [] },
    });
  });

  test("works once, however many do it at once", async () => {
    await grant(await waiting());
    const { eventId } = await disconnect();
    const taken = await Promise.all(Array.from({ length: 8 }, () => refusal(restore(eventId))));
    expect(taken.filter((code) => code === null)).toHaveLength(1);
    expect(taken.filter((code) => code === "PROF006")).toHaveLength(7);
  });

  test("cannot bring back what a second disconnection of the same instant ended", async () => {
    await grant(await waiting());
    const first = await disconnect();
    await restore(first.eventId);
    await disconnect();
    expect(await refusal(restore(first.eventId))).toBe("PROF006");
    expect(await reads()).toBe(false);
  });

  test("is refused after ten minutes", async () => {
    await grant(await waiting());
    const { eventId } = await disconnect();
    pass(10.1);
    expect(await refusal(restore(eventId))).toBe("PROF006");
    expect(await reads()).toBe(false);
  });

  test("leaves alone what has expired since", async () => {
    await grant(await waiting(), "1d");
    pass(24 * 60 - 5);
    const { eventId } = await disconnect();
    pass(6);
    expect(await refusal(restore(eventId))).toBe("PROF006");
    expect(await reads()).toBe(false);
  });

  test("beside a new grant keeps both, and a request that was asked again waits once", async () => {
    await grant(await waiting());
    const old = await waiting("research");
    const { eventId } = await disconnect();
    pass(1);
    const again = await waiting("research");
    expect(again).not.toBe(old);
    await grant(await waiting());

    expect(await restore(eventId)).toMatchObject({ restored: 2, requests: 0 });

    const pending = await listPendingConsents(ctx(), did());
    expect(pending.map(({ id }) => id)).toEqual([again]);
    const live = { profileId: owner.profileId, enabled: true };
    expect(await engine.db.policy.count({ where: live })).toBe(2);
  });

  test("while the agent asks again leaves one request that waits, in either order", async () => {
    for (const type of ["research", "support", "analysis"]) {
      const request = await waiting(type);
      const { eventId } = await disconnect();
      await Promise.all([refusal(restore(eventId)), refusal(ask(type))]);
      const pending = await listPendingConsents(ctx(), did());
      expect(pending.filter(({ purposeType }) => purposeType === type)).toHaveLength(1);
      expect(request).not.toBe("");
    }
  });

  test("is the owner's alone, and of this profile's own events", async () => {
    await grant(await waiting());
    const { eventId } = await disconnect();
    const stranger = await mintOwner(engine);
    const theirs = signedIn(engine, stranger);
    expect(await refusal(restore(eventId, theirs))).toBe("PROF002");
    expect(await refusal(restoreAccess(theirs, { did: stranger.did, eventId }))).toBe("PROF003");
    const events = await eventsOf(engine, owner.profileId);
    const input = events.find(({ verb }) => verb === "requestAccess");
    expect(await refusal(restore(input?.id ?? ""))).toBe("PROF003");
    expect(await reads()).toBe(false);
  });
});

describe("taking one revocation back", () => {
  test("of a token: it opens the profile again, with its grant", async () => {
    const { id, token } = await issueToken(ctx(), tokenAsked("prof:interests"));
    const { eventId } = await revokeToken(ctx(), { did: owner.did, tokenId: id });
    const bearer = tokenClient(engine, token);
    await expect(bearer.getOwnProfile({})).rejects.toMatchObject({ code: "PROF001" });
    expect(await restore(eventId)).toEqual({ ended: 0, restored: 2, requests: 0 });
    const { data } = await bearer.getOwnProfile({});
    expect(Object.keys(data.memories)).toEqual(["prof:interests"]);
  });

  test.each(["transferProfile", "resetPassword"])(
    "of a token that was revoked before %s stays revoked",
    async (verb) => {
      const { id: tokenId } = await issueToken(ctx(), tokenAsked("prof:interests"));
      const { eventId } = await revokeToken(ctx(), { did: owner.did, tokenId });
      await giveEvent(engine, { profileId: owner.profileId, actorId: "usr_other", verb });
      expect(await refusal(restore(eventId))).toBe("PROF006");
    },
  );

  test("of a receipt: what it stood for is read again", async () => {
    await grant(await waiting());
    const receipts = { where: { profileId: owner.profileId } };
    const { id } = await engine.db.receipt.findFirstOrThrow(receipts);
    const { eventId } = await revokeReceipt(ctx(), { did: owner.did, receiptId: id });
    expect(await reads()).toBe(false);
    await restore(eventId);
    expect(await reads()).toBe(true);
  });
});

describe("revoking one receipt", () => {
  test("ends one purpose with the next request, and leaves one event", async () => {
    await grant(await waiting("personalization"));
    await grant(await waiting("recommendation"));
    const receipts = { where: { profileId: owner.profileId } };
    const [first, second] = await engine.db.receipt.findMany(receipts);
    const { eventId } = await revokeReceipt(ctx(), { did: did(), receiptId: first?.id ?? "" });
    expect(await reads()).toBe(true);
    await revokeReceipt(ctx(), { did: did(), receiptId: second?.id ?? "" });
    expect(await reads()).toBe(false);
    const event = await engine.db.accessEvent.findFirstOrThrow({ where: { id: eventId } });
    expect(event).toMatchObject({ verb: "revokeReceipt", actor: "owner", receiptId: first?.id });
  });

  test.each(["once", "1d", "until_revoked"] as const)(
    "that was granted %s ends the grant: the agent gets no other, until it is taken back",
    async (choice) => {
      await grant(await waiting(), choice);
      const receipts = { where: { profileId: owner.profileId } };
      const { id } = await engine.db.receipt.findFirstOrThrow(receipts);
      const { eventId, policies } = await revokeReceipt(ctx(), { did: did(), receiptId: id });
      expect(policies).toBe(1);
      expect(await refusal(ask("personalization"))).toBe("PROF004");
      expect(await reads()).toBe(false);
      await restore(eventId);
      expect(await reads()).toBe(true);
      expect(await refusal(ask("personalization"))).toBeNull();
    },
  );

  test("leaves grants for other purposes, scopes and agents, and rules of the owner's own", async () => {
    await grant(await waiting());
    const { profileId } = owner;
    const { id } = await engine.db.receipt.findFirstOrThrow({ where: { profileId } });
    const one = { origin: "consent" as const, agentPattern: agent.did, allow: ["prof:interests"] };
    const others = [
      { ...one, purposes: ["recommendation"] },
      { ...one, allow: ["prof:health"] },
      { ...one, agentPattern: "did:prof:agent:local:other" },
      { ...one, origin: "owner" as const },
    ];
    for (const policy of others) await givePolicy(engine, profileId, policy);
    const below = await givePolicy(engine, profileId, { ...one, allow: ["prof:interests.tea"] });
    expect(await revokeReceipt(ctx(), { did: did(), receiptId: id })).toMatchObject({
      policies: 2,
    });
    expect(await engine.db.policy.findUnique({ where: { id: below.id } })).toMatchObject({
      enabled: false,
    });
    const left = await engine.db.policy.count({ where: { profileId, enabled: true } });
    expect(left).toBe(others.length);
  });

  test("works once, not after its end, and is the owner's alone", async () => {
    await grant(await waiting());
    const receipts = { where: { profileId: owner.profileId } };
    const { id: receiptId } = await engine.db.receipt.findFirstOrThrow(receipts);
    const stranger = signedIn(engine, await mintOwner(engine));
    expect(await refusal(revokeReceipt(stranger, { did: did(), receiptId }))).toBe("PROF002");
    const revoking = Array.from({ length: 4 }, () =>
      revokeReceipt(ctx(), { did: did(), receiptId }),
    );
    const codes = await Promise.all(revoking.map(refusal));
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    await givePolicy(engine, owner.profileId, { purposes: ["personalization"] });
    await ask("personalization");
    const later = await engine.db.receipt.findFirstOrThrow({
      where: { profileId: owner.profileId, revokedAt: null },
    });
    pass(25 * 60);
    expect(await refusal(revokeReceipt(ctx(), { did: did(), receiptId: later.id }))).toBe(
      "PROF003",
    );
  });
});

describe("what a grant denies besides", () => {
  const denied = "prof:interests.films";

  /** A grant, with a deny as an archive brings it, beside a rule that opens the same. */
  async function grantWithDeny(origin: "consent" | "token" = "consent") {
    const { profileId } = owner;
    await giveMemory(engine, profileId, { category: denied });
    if (origin === "token") await issueToken(ctx(), tokenAsked("prof:interests"));
    else await grant(await waiting());
    await engine.db.policy.updateMany({ where: { profileId, origin }, data: { deny: [denied] } });
    await givePolicy(engine, profileId, { origin: "owner", allow: ["prof:*"] });
  }

  async function isOpen(): Promise<boolean> {
    const { data } = await agent.client.getProfile({ did: owner.did });
    return denied in data.memories;
  }

  const rules = () => engine.db.policy.count({ where: { profileId: owner.profileId } });
  const tokenId = async () =>
    (await engine.db.connectionToken.findFirstOrThrow({ where: { agentDid: agent.did } })).id;

  test.each([
    ["a disconnection", "consent", disconnect],
    ["a disconnection with a token", "token", disconnect],
    [
      "the end of a receipt",
      "consent",
      async () => {
        const { profileId } = owner;
        const { id } = await engine.db.receipt.findFirstOrThrow({ where: { profileId } });
        return revokeReceipt(ctx(), { did: owner.did, receiptId: id });
      },
    ],
    [
      "the end of a token",
      "token",
      async () => revokeToken(ctx(), { did: owner.did, tokenId: await tokenId() }),
    ],
  ] as const)(
    "stays denied after %s, and taking it back leaves the rules as they were",
    async (_, origin, end) => {
      await grantWithDeny(origin);
      const before = await rules();
      expect(await isOpen()).toBe(false);
      const { eventId } = await end();
      expect(await isOpen()).toBe(false);
      pass(1);
      expect(await restore(eventId)).toMatchObject({ ended: 0 });
      expect([await rules(), await isOpen()]).toEqual([before, false]);
    },
  );

  test("stays denied when a disconnection is taken back and its grant was changed since", async () => {
    await grantWithDeny();
    const { eventId } = await disconnect();
    pass(1);
    const { id: policyId } = await engine.db.policy.findFirstOrThrow({
      where: { profileId: owner.profileId, origin: "consent" },
    });
    await switchPolicy(ctx(), { did: owner.did, policyId, enabled: false });
    await restore(eventId);
    expect(await isOpen()).toBe(false);
  });

  test("stays denied when all credentials of the profile are revoked", async () => {
    await grantWithDeny("token");
    const profile = { id: owner.profileId, did: owner.did };
    await engine.db.$transaction((tx) => revokeCredentials(tx, { profile, now: engine.now() }));
    expect(await isOpen()).toBe(false);
  });
});

describe("taking a decision back", () => {
  test("of a grant: policy and receipt are gone, and the request waits again", async () => {
    const requestId = await waiting();
    const { eventId } = await grant(requestId);
    expect(await reads()).toBe(true);
    expect(await restore(eventId)).toEqual({ ended: 1, restored: 0, requests: 1 });
    expect(await reads()).toBe(false);
    const [request] = await listPendingConsents(ctx(), did());
    expect(request?.id).toBe(requestId);
    await grant(requestId);
    expect(await reads()).toBe(true);
  });

  test("of a grant ends the receipts that were taken under it, and undoing their revocation does not help", async () => {
    const { eventId } = await grant(await waiting());
    pass(1);
    const [taken, revoked] = [await ask("personalization"), await ask("personalization")];
    const { receiptId } = revoked.data;
    pass(1);
    const revocation = await revokeReceipt(ctx(), { did: did(), receiptId });
    pass(1);
    await restore(eventId);
    const live = { profileId: owner.profileId, revokedAt: null };
    expect(await engine.db.receipt.count({ where: live })).toBe(0);
    expect(await refusal(restore(revocation.eventId))).toBe("PROF006");
    expect(await engine.db.receipt.count({ where: live })).toBe(0);
    expect(taken.data.grantedScopes).toEqual(["prof:interests"]);
  });

  test("of a grant whose rule was removed first ends its receipts too", async () => {
    const { eventId } = await grant(await waiting());
    pass(1);
    await ask("personalization");
    const where = { profileId: owner.profileId };
    const { id: policyId } = await engine.db.policy.findFirstOrThrow({
      where: { ...where, origin: "consent" },
    });
    await removePolicy(ctx(), { did: did(), policyId });
    await restore(eventId);
    expect(await engine.db.receipt.count({ where: { ...where, revokedAt: null } })).toBe(0);
  });

  test("of a grant leaves receipts that another rule gives, or that are older or for another purpose", async () => {
    const rule = { allow: ["prof:preferences"], purposes: ["personalization", "support"] };
    await givePolicy(engine, owner.profileId, rule);
    const other = (scope: string, type: string) => {
      const purpose = { type };
      return agent.client.requestAccess({ did: did(), scopes: [scope], purpose });
    };
    await other("prof:preferences", "personalization");
    pass(1);
    const { eventId } = await grant(await waiting());
    pass(1);
    await other("prof:preferences", "personalization");
    await other("prof:preferences", "support");
    await ask("personalization");
    await restore(eventId);
    const live = { profileId: owner.profileId, revokedAt: null };
    const left = await engine.db.receipt.findMany({ where: live });
    expect(left.map(({ grantedScopes }) => grantedScopes)).toEqual([
      ["prof:preferences"],
      ["prof:preferences"],
      ["prof:preferences"],
    ]);
  });

  test("of a grant that was disconnected since: undoing that too brings nothing back", async () => {
    const { eventId } = await grant(await waiting());
    pass(1);
    const disconnected = await disconnect();
    pass(1);
    await restore(eventId);
    expect(await refusal(restore(disconnected.eventId))).toBe("PROF006");
    expect(await reads()).toBe(false);
  });

  test("of a denial: the request waits again or, where another of its purpose waits, can be asked again", async () => {
    const requestId = await waiting();
    const deny = (id: string) =>
      decideConsent(ctx(), { did: did(), requestId: id, scopes: [], choice: "once" });
    const { eventId } = await deny(requestId);
    expect(await restore(eventId)).toEqual({ ended: 0, restored: 0, requests: 1 });
    const again = await deny(requestId);
    const purpose = { type: "personalization" };
    const other = { did: did(), scopes: ["prof:episodic"], purpose };
    await expect(agent.client.requestAccess(other)).rejects.toMatchObject({ code: "PROF004" });
    expect(await restore(again.eventId)).toEqual({ ended: 0, restored: 0, requests: 0 });
    await waiting();
    expect(await listPendingConsents(ctx(), did())).toMatchObject([
      { scopes: ["prof:episodic", "prof:interests"] },
    ]);
  });
});
