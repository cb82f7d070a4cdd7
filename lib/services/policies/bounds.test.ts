import { beforeEach, describe, expect, test } from "vitest";
import { everyAgent } from "@/lib/rules/facts";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  givePolicy,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { decideConsent, listPendingConsents } from "../access/consents";
import { restoreAccess } from "../access/restore";
import { revokeAgent } from "../access/revoke-agent";
import type { Ctx } from "../context";
import { issueToken, revokeToken } from "../tokens/tokens";
import { policiesMax, policyRowsMax, policyScopesMax } from "./bounds";
import { listPolicies } from "./list";
import { addPolicy, editPolicy, switchPolicy } from "./policies";
import type { PolicyInput } from "./policy-input";
import { removePolicy, restorePolicy } from "./remove";
import { applyTemplate } from "./template";

const engine = await testEngine({ LIMIT_ACCESS: "1000", LIMIT_PROFILE: "1000" });
const input: PolicyInput = {
  agentPattern: everyAgent,
  verifiedOnly: false,
  allow: ["prof:interests"],
  deny: [],
  permissions: ["read"],
  purposes: [],
  maxRetention: null,
  receiptSeconds: null,
  expiresAt: null,
};
let owner: Owner;
let agent: Minted;
let did: Owner["did"];

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  agent = await mintAgent(engine);
  did = owner.did;
});

// Each call a little later, so that events and rules have an order.
function me(): Ctx {
  engine.setNow(new Date(engine.now().getTime() + 1));
  return signedIn(engine, owner);
}

function add(policy: Partial<PolicyInput> = {}): Promise<string> {
  return addPolicy(me(), { did, policy: { ...input, ...policy, origin: "owner" } });
}

function scopes(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `prof:s${at}`);
}

interface Given {
  scopes?: string[];
  enabled?: boolean;
  expiresAt?: Date;
}

/** So many rules, each switched off a little later than the one before. */
async function give(count: number, { scopes: allow = [], ...given }: Given = {}) {
  await engine.db.policy.createMany({
    data: Array.from({ length: count }, (_, at) => ({
      createdAt: testNow,
      id: `pol_${owner.profileId}x${given.enabled ?? true}x${at}`,
      profileId: owner.profileId,
      agentPattern: everyAgent,
      origin: "owner" as const,
      updatedAt: new Date(testNow.getTime() - 1_000 * (count - at)),
      allow,
      ...given,
    })),
  });
}

async function pendingRequest(): Promise<string> {
  const purpose = { type: "analysis" };
  const asking = agent.client.requestAccess({ did, scopes: ["prof:health"], purpose });
  await expect(asking).rejects.toMatchObject({ code: "PROF004" });
  const [request] = await listPendingConsents(me(), did);
  return request?.id ?? "";
}

const token = () =>
  ({ did, agentDid: agent.did, scopes: ["prof:a"], permissions: ["read"] }) as const;

function rowsOf({ profileId }: Owner) {
  return engine.db.policy.count({ where: { profileId } });
}

describe("the rules of a profile that are switched on name at most a thousand scopes in all", () => {
  const tooMany = "may name 1,000 categories in all, and these would name 1,001";

  test("so whatever opens more is refused with the number, and changes nothing", async () => {
    const off = await add();
    await switchPolicy(me(), { did, policyId: off, enabled: false });
    const removed = await add();
    await removePolicy(me(), { did, policyId: removed });
    const { id: tokenId } = await issueToken(me(), token());
    const { eventId } = await revokeToken(me(), { did, tokenId });
    const requestId = await pendingRequest();
    await give(policyScopesMax / 50 - 1, { scopes: scopes(50) });
    const full = await givePolicy(engine, owner.profileId, {
      allow: scopes(25),
      deny: scopes(25),
      updatedAt: testNow,
    });
    const before = await rowsOf(owner);
    const edit = {
      did,
      policyId: full.id,
      shownAs: testNow,
      policy: { ...input, allow: scopes(50), deny: ["prof:x"] },
    };
    const grant = { did, requestId, scopes: ["prof:health"], choice: "once" } as const;
    const attempts = [
      () => add(),
      () => editPolicy(me(), edit),
      () => switchPolicy(me(), { did, policyId: off, enabled: true }),
      () => restorePolicy(me(), { did, policyId: removed }),
      () => decideConsent(me(), grant),
      () => issueToken(me(), token()),
      () => restoreAccess(me(), { did, eventId }),
      () => applyTemplate(me(), { did, template: "open" }),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ code: "PROF006" });
      await expect(attempt()).rejects.toThrow(tooMany);
    }
    expect(await rowsOf(owner)).toBe(before);
  });

  test("but whatever closes more is never refused: a grant is revoked, and what it denies stays denied", async () => {
    const { id: tokenId } = await issueToken(me(), token());
    const { policyId } = await engine.db.connectionToken.findUniqueOrThrow({
      where: { id: tokenId },
    });
    await engine.db.policy.update({
      where: { id: policyId ?? "" },
      data: { deny: ["prof:health"] },
    });
    const consent = { agentPattern: agent.did, origin: "consent" as const };
    await givePolicy(engine, owner.profileId, { ...consent, deny: ["prof:a"] });
    await give(policiesMax + 1, { scopes: scopes(10) });
    await revokeToken(me(), { did, tokenId });
    await revokeAgent(me(), { did, agentDid: agent.did });
    const denying = await engine.db.policy.findMany({
      where: { profileId: owner.profileId, enabled: true, NOT: { deny: { isEmpty: true } } },
    });
    expect(denying.map(({ allow, deny }) => ({ allow, deny }))).toEqual(
      expect.arrayContaining([
        { allow: [], deny: ["prof:health"] },
        { allow: [], deny: ["prof:a"] },
      ]),
    );
    expect(denying).toHaveLength(2);
  });

  test("not counting those that are off or have ended", async () => {
    await give(20, { scopes: scopes(50), enabled: false });
    await give(20, { scopes: scopes(50), expiresAt: testNow });
    await add({ allow: scopes(50), deny: scopes(50) });
  });
});

describe("rules that are not in force", () => {
  test("leave room for tokens and grants, as after 198 tokens that were revoked", async () => {
    await give(policiesMax, { enabled: false });
    await issueToken(me(), token());
    const requestId = await pendingRequest();
    await decideConsent(me(), { did, requestId, scopes: ["prof:health"], choice: "once" });
    expect((await listPolicies(me(), did)).standing).toHaveLength(policiesMax + 2);
  });

  test("are switched on up to two hundred", async () => {
    await give(policiesMax);
    await give(1, { enabled: false });
    const policyId = `pol_${owner.profileId}xfalsex0`;
    const on = () => switchPolicy(me(), { did, policyId, enabled: true });
    await expect(on()).rejects.toThrow("at most 200 rules");
    await switchPolicy(me(), { did, policyId: `pol_${owner.profileId}xtruex0`, enabled: false });
    await on();
  });

  test("make room for a new one beyond a thousand rows, the oldest first", async () => {
    await give(3);
    await give(policyRowsMax - 3, { enabled: false });
    const added = await add();
    const { standing } = await listPolicies(me(), did);
    expect(standing).toHaveLength(policyRowsMax);
    const ids = standing.map(({ id }) => id);
    expect(ids).toContain(added);
    expect(ids).not.toContain(`pol_${owner.profileId}xfalsex0`);
    expect(standing.filter(({ enabled }) => enabled)).toHaveLength(4);
  });

  test("make room with brief and ended ones first, which anybody at an open session could add", async () => {
    const { profileId } = owner;
    const off = await givePolicy(engine, profileId, { enabled: false, updatedAt: testNow });
    const earlier = new Date(testNow.getTime() - 48 * 60 * 60_000);
    const over = { createdAt: earlier, updatedAt: testNow, expiresAt: testNow };
    const ended = await givePolicy(engine, profileId, over);
    const inAnHour = new Date(testNow.getTime() + 60 * 60_000);
    await give(policyRowsMax - 2, { enabled: false, expiresAt: inAnHour });
    await engine.db.policy.updateMany({
      where: { profileId, expiresAt: inAnHour },
      data: { createdAt: testNow, updatedAt: inAnHour },
    });
    await add({ expiresAt: inAnHour });
    await add({ expiresAt: inAnHour });
    expect(await rowsOf(owner)).toBe(policyRowsMax);
    const left = await engine.db.policy.findMany({ where: { id: { in: [off.id, ended.id] } } });
    expect(left.map(({ id }) => id)).toEqual([off.id]);
  });

  test("take their token's grant with them, and the token stays to be revoked", async () => {
    const { id: tokenId } = await issueToken(me(), token());
    const { policyId } = await engine.db.connectionToken.findUniqueOrThrow({
      where: { id: tokenId },
    });
    await switchPolicy(me(), { did, policyId: policyId ?? "", enabled: false });
    engine.setNow(new Date(testNow.getTime() + 60_000));
    await give(policyRowsMax - 1, { enabled: false });
    await engine.db.policy.updateMany({
      where: { profileId: owner.profileId, NOT: { id: policyId ?? "" } },
      data: { updatedAt: engine.now() },
    });
    await add();
    expect(await engine.db.policy.findUnique({ where: { id: policyId ?? "" } })).toBeNull();
    await revokeToken(me(), { did, tokenId });
  });
});
