import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { Tx } from "@/lib/engine/db";
import type { WritingVerb } from "@/lib/rules/may";
import { shownTransfer } from "@/tests/support/dashboard-api";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveKey,
  givePolicy,
  giveProposal,
  giveToken,
  type Minted,
  mintAdmin,
  mintAgent,
  mintKeyPair,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import type { Ending } from "@/tests/support/second-process/endings";
import { inTransaction } from "@/tests/support/transaction";
import { decideConsent, listPendingConsents } from "./access/consents";
import { liftQuarantine, quarantineAgent } from "./access/quarantine/quarantine-agent";
import { restoreAccess } from "./access/restore";
import { revokeAgent } from "./access/revoke-agent";
import { setLimits, verifyAgent } from "./admin/agents/change-agent";
import { transferProfile } from "./admin/profiles/transfer-profile";
import { addKey } from "./agents/keys";
import { importProfile } from "./archive/import";
import { packArchive } from "./archive/pack-archive";
import { withAuthority } from "./authority";
import { type Ctx, contextOf } from "./context";
import { deleteProfile } from "./erasure/delete-profile";
import { importMemories } from "./imports/batches/import-memories";
import { addMemory } from "./memories/add";
import { addPolicy } from "./policies/policies";
import { displayName, editCommon, versionOf } from "./profile-values/edit-common";
import { liftRejection } from "./proposals/deciding/rejections";
import { reopenProposals } from "./proposals/deciding/reopen";
import { reviewProposal } from "./proposals/deciding/review";
import { proposeMemory } from "./proposals/propose";
import { startApproving } from "./proposals/rules/approve-rules";
import { requestAccess } from "./receipts/receipts";
import { revokeReceipt } from "./receipts/revoke-receipt";
import { answerWhy, askWhy } from "./requests/inquiry";
import { withdrawProposal } from "./requests/withdraw";
import { inviteReviewer } from "./reviewers/reviewers";
import { issueToken, revokeToken } from "./tokens/tokens";
import { answerTransfer } from "./transfers/answer";

const engine = await testEngine({ LIMIT_ACCESS: "1000", LIMIT_PROPOSE: "1000" });
const root = await mintAdmin(engine);
const other = startOther(engine.env.DATABASE_URL ?? "");
const interests = ["prof:interests"];
const purpose = { type: "personalization" };
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  owner = await mintOwner(engine, { policies: [{ permissions: ["read", "propose"] }] });
  agent = await mintAgent(engine);
});

/** A second process, in which authority ends. Resolves once the end is acknowledged. */
function startOther(databaseUrl: string): (ending: Ending) => Promise<string> {
  const child: ChildProcess = spawn(
    process.execPath,
    ["server/run.mjs", "tests/support/second-process/endings.ts"],
    {
      env: {
        NODE_ENV: "test",
        LOG_LEVEL: "warn",
        DATABASE_URL: databaseUrl,
        PATH: process.env.PATH,
      },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const { stdin, stdout } = child;
  if (stdin === null || stdout === null) throw new Error("the second process has no streams");
  const lines = createInterface({ input: stdout });
  afterAll(async () => {
    const exited = once(child, "exit");
    stdin.end();
    await exited;
  });
  return async (ending) => {
    const said = once(lines, "line");
    stdin.write(`${JSON.stringify(ending)}\n`);
    return String((await said)[0]);
  };
}

/** A row that both the end of an authority and the change need. */
interface Held {
  table: "Profile" | "User" | "Session" | "Agent";
  column: "id" | "did";
  value: number | string;
}

/**
 * Holds the row until the end waits for it, in the other process, and the change behind the end, in this
 * one. Returns what became of the change, which asked for everything before the end came.
 */
async function meet(held: Held, ending: Ending, change: () => Promise<unknown>) {
  let ended: Promise<string> | undefined;
  let changed: Promise<string> | undefined;
  await inTransaction(engine.pool, async (client) => {
    await client.query(`SELECT FROM "${held.table}" WHERE ${held.column} = $1 FOR UPDATE`, [
      held.value,
    ]);
    ended = other(ending);
    await waiting(1);
    changed = change().then(
      () => "done",
      ({ code }) => code,
    );
    await waiting(2);
  });
  expect(await ended).toBe("acknowledged");
  return changed;
}

/** Resolves once so many connections wait for a lock. */
async function waiting(count: number): Promise<void> {
  const counted = async () => {
    const { rows } = await engine.pool.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows[0]?.waiting;
  };
  await expect.poll(counted, { interval: 1 }).toBeGreaterThanOrEqual(count);
}

const here = () => signedIn(engine, owner);
const did = () => owner.did;
const asAgent = (): Ctx => contextOf(engine, { kind: "agent", ...agent });
const asKey = (): Ctx => contextOf(engine, { kind: "user", ...owner });

function waitingProposal() {
  return giveProposal(engine, { profileId: owner.profileId, agentDid: agent.did });
}

async function pendingRequest(): Promise<string> {
  await engine.db.policy.deleteMany({ where: { profileId: owner.profileId } });
  const request = { did: did(), scopes: interests, purpose, origin: "" };
  await requestAccess(asAgent(), request).catch(() => undefined);
  return (await listPendingConsents(here(), did()))[0]?.id ?? "";
}

// The gateway's own job has no authority that could end, and a reviewer's is another's: see there.
type PersonsVerb = Exclude<WritingVerb, "approveByRule" | "reviewForOwner">;

/** Each verb that writes, made ready: what it returns does one change by its usual caller. */
const verbs = {
  async requestAccess() {
    return () => requestAccess(asAgent(), { did: did(), scopes: interests, purpose, origin: "" });
  },
  async proposeMemory() {
    const proposal = { content: "Likes tea.", category: "prof:interests", confidence: 0.7 };
    return () => proposeMemory(asAgent(), { did: did(), ...proposal });
  },
  async withdrawProposal() {
    const { id } = await waitingProposal();
    return () => withdrawProposal(asAgent(), { did: did(), id });
  },
  async answerWhy() {
    const { id } = await waitingProposal();
    await askWhy(here(), { did: did(), id, question: "Why?" });
    return () => answerWhy(asAgent(), { did: did(), id, answer: "To suggest trains." });
  },
  async askWhy() {
    const { id } = await waitingProposal();
    return () => askWhy(here(), { did: did(), id, question: "Why?" });
  },
  async reviewProposal() {
    const { id } = await waitingProposal();
    return () => reviewProposal(here(), { did: did(), proposalId: id, action: "approve" });
  },
  async liftRejection() {
    const { id: proposalId } = await waitingProposal();
    await reviewProposal(here(), { did: did(), proposalId, action: "reject" });
    const { id: rejectionId } = await engine.db.rejection.findUniqueOrThrow({
      where: { proposalId },
    });
    return () => liftRejection(here(), { did: did(), rejectionId });
  },
  async editReviewers() {
    return () => inviteReviewer(here(), { did: did(), email: "rae@example.com", days: 30 });
  },
  async editApproving() {
    const rule = { categories: ["prof:interests"], confidenceMin: 0.8, days: 30, usesMax: 100 };
    return () => startApproving(here(), { did: did(), agentDid: agent.did, ...rule });
  },
  async reopenProposal() {
    const { id } = await waitingProposal();
    await reviewProposal(here(), { did: did(), proposalId: id, action: "reject" });
    return () => reopenProposals(here(), { did: did(), proposalIds: [id] });
  },
  async editProfile() {
    const { common } = await engine.db.profile.findUniqueOrThrow({ where: { did: did() } });
    const seen = versionOf(common as Record<string, unknown>, [displayName]);
    const changes = [{ ...displayName, value: "Alice" }];
    return () => editCommon(here(), { did: did(), seen, changes });
  },
  async editMemories() {
    const memory = { category: "prof:interests", content: "Tea.", confidence: 1 };
    return () => addMemory(here(), { did: did(), ...memory });
  },
  async editPolicies(expiresAt: Date | null = null) {
    const policy = {
      agentPattern: agent.did,
      verifiedOnly: false,
      allow: interests,
      deny: [],
      permissions: ["read" as const],
      purposes: [],
      maxRetention: null,
      receiptSeconds: null,
      expiresAt,
      origin: "owner" as const,
    };
    return () => addPolicy(here(), { did: did(), policy });
  },
  async decideConsent() {
    const requestId = await pendingRequest();
    const grant = { scopes: interests, choice: "until_revoked" } as const;
    return () => decideConsent(here(), { did: did(), requestId, ...grant });
  },
  async revokeAgent() {
    return () => revokeAgent(here(), { did: did(), agentDid: agent.did });
  },
  async quarantineAgent() {
    return () => quarantineAgent(here(), { did: did(), agentDid: agent.did });
  },
  async liftQuarantine() {
    await quarantineAgent(here(), { did: did(), agentDid: agent.did });
    return () => liftQuarantine(here(), { did: did(), agentDid: agent.did });
  },
  async revokeReceipt() {
    const request = { did: did(), scopes: interests, purpose, origin: "" };
    const { data } = await requestAccess(asAgent(), request);
    return () => revokeReceipt(here(), { did: did(), receiptId: data.receiptId });
  },
  async restoreAccess() {
    const { id } = await issueToken(here(), {
      did: did(),
      agentDid: agent.did,
      scopes: interests,
      permissions: ["read"],
    });
    const { eventId } = await revokeToken(here(), { did: did(), tokenId: id });
    return () => restoreAccess(here(), { did: did(), eventId });
  },
  async editTokens() {
    const token = { agentDid: agent.did, scopes: interests, permissions: ["read" as const] };
    return () => issueToken(here(), { did: did(), ...token });
  },
  async editKeys() {
    const publicKey = Buffer.from(mintKeyPair().publicKey);
    return () => addKey(here(), { did: did(), publicKey });
  },
  async importMemories() {
    const head = { format: "markdown", leftOut: {}, items: 0 } as const;
    return () => importMemories(here(), { did: did(), head, slices: [] });
  },
  async importProfile() {
    await engine.db.policy.deleteMany({ where: { profileId: owner.profileId } });
    const archive = emptyArchive();
    return () => importProfile(here(), { did: did(), archive, switchPoliciesOn: false });
  },
  async deleteProfile() {
    return () => deleteProfile(here(), { did: did() });
  },
} satisfies Record<PersonsVerb, () => Promise<() => Promise<unknown>>>;

function emptyArchive() {
  const lists = ["namedValues", "memories", "proposals", "policies", "consentRequests"];
  const rest = ["receipts", "tokens", "keys", "events"];
  return packArchive({
    format: "profile-archive",
    version: 1,
    exportedAt: testNow.toISOString(),
    profile: {
      did: owner.did,
      profileType: "human",
      version: "1.0",
      common: { preferences: {} },
      createdAt: testNow.toISOString(),
    },
    ...Object.fromEntries([...lists, ...rest].map((list) => [list, []])),
  });
}

const names = Object.keys(verbs) as PersonsVerb[];
const decided: readonly PersonsVerb[] = ["requestAccess", "proposeMemory"];
const agents: readonly PersonsVerb[] = [...decided, "withdrawProposal", "answerWhy"];
const owners = names.filter((name) => !agents.includes(name));

const profileRow = (): Held => ({ table: "Profile", column: "id", value: owner.profileId });
const userRow = (): Held => ({ table: "User", column: "id", value: owner.userId });
const byRoot = (name: Ending["name"], request: unknown): Ending => {
  return { name, caller: root.ctx.caller, input: request };
};

describe("without an end", () => {
  test.each(names)("%s changes something", async (name) => {
    const change = await verbs[name]();
    await change();
  });
});

describe("an owner's change that meets the end of its authority comes to nothing", () => {
  test.each(owners)("%s, once the profile is suspended", async (name) => {
    const change = await verbs[name]();
    const ending = byRoot("suspendProfile", did());
    expect(await meet(profileRow(), ending, change)).toBe("PROF002");
  });

  test.each(owners)("%s, once the account is suspended", async (name) => {
    const change = await verbs[name]();
    const ending = byRoot("suspendUser", owner.userId);
    expect(await meet(userRow(), ending, change)).toBe("PROF001");
  });

  test.each(owners)("%s, once the session is ended", async (name) => {
    const change = await verbs[name]();
    const { caller } = here();
    const ending = { name: "endOwnSession", caller, input: { id: owner.sessionId } } as const;
    const held = { table: "Session", column: "id", value: owner.sessionId } as const;
    expect(await meet(held, ending, change)).toBe("PROF001");
  });

  test.each(owners)("%s, once the profile has another owner", async (name) => {
    const change = await verbs[name]();
    const { caller } = here();
    const next = await mintOwner(engine);
    const { email } = await engine.db.user.findUniqueOrThrow({ where: { id: next.userId } });
    await transferProfile(root.ctx, { did: did(), email });
    await answerTransfer(contextOf(engine, caller), await shownTransfer(engine, did()));
    const request = await shownTransfer(engine, did());
    const ending = {
      name: "answerTransfer",
      caller: signedIn(engine, next).caller,
      input: request,
    } as const;
    expect(await meet(profileRow(), ending, change)).toBe("PROF002");
  });

  const byKey = async () => {
    const { id } = await waitingProposal();
    return () => reviewProposal(asKey(), { did: did(), proposalId: id, action: "approve" });
  };

  test("a review by key, once the key is revoked", async () => {
    const change = await byKey();
    const { id: keyId } = await engine.db.key.findFirstOrThrow({ where: { did: did() } });
    const { caller } = here();
    const ending = { name: "revokeKey", caller, input: { did: did(), keyId } } as const;
    expect(await meet(profileRow(), ending, change)).toBe("PROF001");
  });

  test("a review by key, once the account is suspended", async () => {
    const change = await byKey();
    const ending = byRoot("suspendUser", owner.userId);
    expect(await meet(userRow(), ending, change)).toBe("PROF001");
  });
});

describe("an agent's write fails if its authority ends at the same time", () => {
  const agentRow = (): Held => ({ table: "Agent", column: "did", value: agent.did });

  test.each(agents)("%s, once the agent is suspended", async (name) => {
    const change = await verbs[name]();
    const ending = byRoot("suspendAgent", { did: agent.did, reason: "Test." });
    expect(await meet(agentRow(), ending, change)).toBe("PROF001");
  });

  test.each(agents)("%s, once its key is revoked", async (name) => {
    const change = await verbs[name]();
    const { id: keyId } = await engine.db.key.findFirstOrThrow({ where: { did: agent.did } });
    const ending = byRoot("revokeKey", { did: agent.did, keyId });
    expect(await meet(agentRow(), ending, change)).toBe("PROF001");
  });

  test.each(decided)("%s, once the rule is off that let it", async (name) => {
    const change = await verbs[name]();
    const { id: policyId } = await engine.db.policy.findFirstOrThrow({
      where: { profileId: owner.profileId },
    });
    const { caller } = here();
    const request = { did: did(), policyId, enabled: false };
    expect(await meet(profileRow(), { name: "switchPolicy", caller, input: request }, change)).toBe(
      "PROF004",
    );
  });

  test.each(decided)("%s, once a rule that denies is on", async (name) => {
    const deny = { allow: [], deny: ["prof:interests"], enabled: false };
    const { id: policyId } = await givePolicy(engine, owner.profileId, {
      ...deny,
      permissions: ["read", "propose"],
    });
    const change = await verbs[name]();
    const { caller } = here();
    const request = { did: did(), policyId, enabled: true };
    expect(await meet(profileRow(), { name: "switchPolicy", caller, input: request }, change)).toBe(
      "PROF004",
    );
  });

  test.each(agents)("%s, once the profile is suspended", async (name) => {
    const change = await verbs[name]();
    expect(await meet(profileRow(), byRoot("suspendProfile", did()), change)).toBe("PROF002");
  });

  test("a proposal by token, once the token is revoked", async () => {
    const permissions = ["read", "propose"] as ("read" | "propose")[];
    const { id: tokenId } = await giveToken(engine, { owner, agent, permissions });
    const reach = { tokenId, profileDid: did(), scopes: ["prof:*"], permissions };
    const byToken = contextOf(engine, { kind: "token", did: agent.did, ...reach });
    const proposal = { content: "Likes tea.", category: "prof:interests", confidence: 0.7 };
    const change = () => proposeMemory(byToken, { did: did(), ...proposal });
    const { caller } = here();
    const ending = { name: "revokeToken", caller, input: { did: did(), tokenId } } as const;
    expect(await meet(profileRow(), ending, change)).toBe("PROF001");
    expect(await engine.db.proposal.count({ where: { profileId: owner.profileId } })).toBe(0);
  });
});

describe("a change during the deletion of the profile", () => {
  test.each(names)("%s finds no profile", async (name) => {
    const change = await verbs[name]();
    const { caller } = here();
    const ending = { name: "deleteProfile", caller, input: { did: did() } } as const;
    expect(await meet(profileRow(), ending, change)).toBe("PROF003");
  });
});

describe("an admin's change that meets the end of its authority comes to nothing", () => {
  const changes = { verifyAgent, setLimits };
  test.each(Object.keys(changes) as (keyof typeof changes)[])("%s, once demoted", async (name) => {
    const { userId, ctx } = await mintAdmin(engine);
    const change = () =>
      name === "verifyAgent"
        ? verifyAgent(ctx, { did: agent.did, verified: true })
        : setLimits(ctx, { did: agent.did, limits: { profile: 1 } });
    const held = { table: "User", column: "id", value: userId } as const;
    const ending = byRoot("changeRole", { userId, role: "user" });
    expect(await meet(held, ending, change)).toBe("PROF002");
  });
});

test("two changes that wait for each other: one is tried once more, and both are made", async () => {
  const [first, second] = [await mintAgent(engine), await mintAgent(engine)];
  await giveKey(engine, second.did, 2);
  const touch = (tx: Tx, did: string) =>
    tx.$executeRaw`UPDATE "Agent" SET description = coalesce(description, '') || 'x' WHERE did = ${did}`;
  let met = 0;
  let bothMet: () => void = () => undefined;
  const both = new Promise<void>((resolve) => {
    bothMet = resolve;
  });
  const admins = [root.ctx, (await mintAdmin(engine)).ctx] as const;
  const change = (by: Ctx, [one, next]: readonly [string, string]) =>
    withAuthority(by, {}, async (tx) => {
      await touch(tx, one);
      met += 1;
      if (met === 2) bothMet();
      await both;
      await touch(tx, next);
    });
  await Promise.all([
    change(admins[0], [first.did, second.did]),
    change(admins[1], [second.did, first.did]),
  ]);
  const rows = await engine.db.agent.findMany({ where: { did: { in: [first.did, second.did] } } });
  expect(rows.map(({ description }) => description)).toEqual(["xx", "xx"]);
  expect(met).toBe(3);
});

describe("ten minutes after the password was given", () => {
  const lasting: readonly PersonsVerb[] = [
    "editApproving",
    "editReviewers",
    "editPolicies",
    "decideConsent",
    "liftQuarantine",
    "restoreAccess",
    "editTokens",
    "editKeys",
    "importProfile",
    "deleteProfile",
  ];

  function changeLater(name: PersonsVerb) {
    return later(verbs[name]());
  }

  async function later(prepared: Promise<() => Promise<unknown>>) {
    const change = await prepared;
    const confirmedAt = new Date(testNow.getTime() - 10 * 60_000);
    await engine.db.session.update({ where: { id: owner.sessionId }, data: { confirmedAt } });
    return change();
  }

  test.each(lasting)("%s is refused until it is given again", async (name) => {
    const details = { confirm: true };
    await expect(changeLater(name)).rejects.toMatchObject({ code: "PROF002", details });
  });

  test.each(owners.filter((name) => !lasting.includes(name)))("%s goes on", async (name) => {
    await changeLater(name);
  });

  test.each<[number, string]>([
    [1, "added"],
    [2, "PROF002"],
  ])("a rule that ends in %i days is %s", async (days, outcome) => {
    const expiresAt = new Date(testNow.getTime() + days * 24 * 60 * 60_000);
    const adding = later(verbs.editPolicies(expiresAt)).then(() => "added");
    expect(await adding.catch(({ code }) => code)).toBe(outcome);
  });
});
