import { describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveKey,
  giveMemory,
  giveNamedValue,
  givePolicy,
  mintAgent,
  mintOwner,
} from "@/tests/support/personas";

// What is kept of a profile or an agent is kept under its revision: a change that raises none would not be seen.
const engine = await testEngine();
const { pool } = engine;

async function scene() {
  const owner = await mintOwner(engine);
  const agent = await mintAgent(engine);
  const { id: policyId } = await givePolicy(engine, owner.profileId, { agentPattern: agent.did });
  const { id: memoryId } = await giveMemory(engine, owner.profileId);
  await giveNamedValue(engine, owner.profileId, { category: "prof:a", name: "b", value: "c" });
  await giveKey(engine, owner.did, 2);
  const receiptId = newId("rcpt");
  await engine.db.receipt.create({
    data: {
      ...{ id: receiptId, profileId: owner.profileId, agentDid: agent.did },
      ...{
        grantedScopes: ["prof:b"],
        purposeType: "research",
        grantedAt: testNow,
        expiresAt: new Date(testNow.getTime() + 3_600_000),
      },
    },
    select: { id: true },
  });
  return { owner, agent, policyId, memoryId, receiptId };
}
type Scene = Awaited<ReturnType<typeof scene>>;

async function revisions({ owner, agent }: Scene): Promise<{ profile: bigint; agent: bigint }> {
  const { rows } = await pool.query(
    `SELECT (SELECT revision FROM "Profile" WHERE id = $1) AS profile, (SELECT revision FROM "Agent" WHERE did = $2) AS agent`,
    [owner.profileId, agent.did],
  );
  return { profile: BigInt(rows[0].profile), agent: BigInt(rows[0].agent) };
}

const here: Record<string, (scene: Scene) => string> = {
  Profile: ({ owner }) => `id = ${owner.profileId}`,
  Agent: ({ agent }) => `did = '${agent.did}'`,
  User: ({ owner }) => `id = '${owner.userId}'`,
  Memory: ({ memoryId }) => `id = '${memoryId}'`,
  NamedValue: ({ owner }) => `"profileId" = ${owner.profileId}`,
  Policy: ({ policyId }) => `id = '${policyId}'`,
  Receipt: ({ receiptId }) => `id = '${receiptId}'`,
  Key: ({ agent }) => `did = '${agent.did}'`,
};

/** What each column is set to, and whose revision that raises; null raises none, or cannot change. */
const columns: Record<
  string,
  Record<string, readonly [to: string, raised: "profile" | "agent"] | null>
> = {
  Profile: {
    profileType: [`'entity'`, "profile"],
    version: [`'2.0'`, "profile"],
    state: [`'suspended'`, "profile"],
    common: [`'{"preferences": {"a": 1}}'`, "profile"],
    ownerId: null, // it is handed over with its state, below
    ...{ id: null, did: null, createdAt: null, updatedAt: null, visitedAt: null },
    ...{ visitedBefore: null, revision: null, rejectionKey: null },
  },
  Agent: {
    state: [`'suspended'`, "agent"],
    verified: ["true", "agent"],
    ceiling: [`'{prof:a}'`, "agent"],
    limits: [`'{"profile": 3}'`, "agent"],
    ...{
      did: null,
      name: null,
      description: null,
      operator: null,
      stateReason: null,
      origin: null,
    },
    ...{ registeredBy: null, createdAt: null, updatedAt: null, lastSeenAt: null, revision: null },
  },
  User: {
    state: [`'suspended'`, "profile"],
    ...{ id: null, email: null, name: null, passwordHash: null, role: null, createdAt: null },
    ...{ lastSeenAt: null, resetLinkMadeAt: null },
  },
  Memory: {
    category: [`'prof:z'`, "profile"],
    content: [`'Likes tea.'`, "profile"],
    confidence: ["0.5", "profile"],
    createdAt: [`'2020-01-01'`, "profile"],
    archivedAt: [`'2026-01-01'`, "profile"],
    deletedAt: [`'2026-01-01'`, "profile"],
    source: [`'imported'`, "profile"],
    approvedBy: [`'rule'`, "profile"],
    flags: [`'{link}'`, "profile"],
    ...{ id: null, profileId: null, agentDid: null, proposalId: null },
    ...{ updatedAt: null, replacedById: null, likeText: null },
  },
  NamedValue: {
    category: [`'prof:z'`, "profile"],
    name: [`'z'`, "profile"],
    value: [`'"z"'`, "profile"],
    ...{ profileId: null, updatedAt: null },
  },
  Policy: {
    agentPattern: [`'did:prof:agent:*:*'`, "profile"],
    verifiedOnly: ["true", "profile"],
    allow: [`'{prof:a}'`, "profile"],
    deny: [`'{prof:a}'`, "profile"],
    permissions: [`'{propose}'`, "profile"],
    purposes: [`'{research}'`, "profile"],
    maxRetention: [`'7d'`, "profile"],
    receiptSeconds: ["60", "profile"],
    enabled: ["false", "profile"],
    expiresAt: [`'2030-01-01'`, "profile"],
    ...{ id: null, profileId: null, origin: null, consentRequestId: null },
    ...{ createdAt: null, updatedAt: null, resumeAskedAt: null, resumeReason: null },
  },
  Receipt: {
    grantedScopes: [`'{prof:a}'`, "profile"],
    purposeType: [`'other'`, "profile"],
    retention: [`'7d'`, "profile"],
    grantedAt: [`"grantedAt" - interval '1 hour'`, "profile"],
    expiresAt: [`"expiresAt" + interval '1 hour'`, "profile"],
    revokedAt: [`'2026-01-01'`, "profile"],
    ...{ id: null, profileId: null, agentDid: null, deniedScopes: null },
    ...{ purposeDescription: null, legalBasis: null },
  },
  Key: {
    publicKey: [`decode(repeat('ab', 32), 'hex')`, "agent"],
    slot: ["3", "agent"],
    addedBy: [`'usr_1'`, "agent"],
    ...{ id: null, did: null, label: null, createdAt: null, revokedAt: null },
  },
};

/** Nothing of these is part of what an agent's request is decided or answered by from memory. */
const others = [
  ...["AccessEvent", "Account", "AdminEvent", "AgentDay", "ApproveRule", "Authorization", "Client"],
  ...[
    "ConnectionSecret",
    "ConnectionToken",
    "ConsentRequest",
    "Delivery",
    "Gone",
    "Mailbox",
    "Webhook",
  ],
  ...[
    "ImportBatch",
    "Inquiry",
    "Job",
    "MemoryRevision",
    "Nonce",
    "OneTimeLink",
    "Proposal",
    "Rejection",
    "RateWindow",
    "RetiredDid",
    "Reviewer",
  ],
  ...["Seal", "Session", "Setting", "Transfer"],
];

test("every table and every column is named here", async () => {
  const { rows } = await pool.query<{ table: string; column: string }>(
    `SELECT table_name AS table, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name !~ '^(_prisma|pg_stat)'`,
  );
  const tables = new Set(rows.map(({ table }) => table));
  expect([...tables].sort()).toEqual([...Object.keys(columns), ...others].sort());
  for (const [table, named] of Object.entries(columns)) {
    const found = rows.filter((row) => row.table === table).map(({ column }) => column);
    expect([table, ...Object.keys(named).sort()]).toEqual([table, ...found.sort()]);
  }
});

const raising = Object.entries(columns).flatMap(([table, named]) =>
  Object.entries(named).flatMap(([column, change]) =>
    change === null ? [] : [[table, column, ...change] as const],
  ),
);

describe("a change raises the revision", () => {
  test.each(raising)("of %s.%s", async (table, column, to, raised) => {
    const made = await scene();
    const before = await revisions(made);
    const where = here[table]?.(made);
    await pool.query(`UPDATE "${table}" SET "${column}" = ${to} WHERE ${where}`);
    expect((await revisions(made))[raised]).toBeGreaterThan(before[raised]);
  });

  test.each(["Memory", "NamedValue", "Policy", "Receipt"])(
    "of a row that goes: %s",
    async (table) => {
      const made = await scene();
      const before = await revisions(made);
      await pool.query(`DELETE FROM "${table}" WHERE ${here[table]?.(made)}`);
      expect((await revisions(made)).profile).toBeGreaterThan(before.profile);
    },
  );

  test("of a profile that is handed over, and of one whose own key is revoked", async () => {
    const made = await scene();
    const heir = await mintOwner(engine);
    const before = await revisions(made);
    const { profileId, did } = made.owner;
    await pool.query(`UPDATE "Profile" SET "ownerId" = $1 WHERE id = $2`, [heir.userId, profileId]);
    const between = await revisions(made);
    expect(between.profile).toBeGreaterThan(before.profile);
    await pool.query(`UPDATE "Key" SET slot = NULL, "revokedAt" = now() WHERE did = $1`, [did]);
    expect((await revisions(made)).profile).toBeGreaterThan(between.profile);
  });
});

test.each([
  [`UPDATE "Agent" SET "lastSeenAt" = now(), name = 'Other' WHERE did = $1`, "agent"],
  [`UPDATE "Profile" SET "visitedAt" = now(), "updatedAt" = now() WHERE id = $1`, "profile"],
])("what reading writes raises none: %s", async (statement, whose) => {
  const made = await scene();
  const before = await revisions(made);
  await pool.query(statement, [whose === "agent" ? made.agent.did : made.owner.profileId]);
  expect(await revisions(made)).toEqual(before);
});

test("the sweep of deleted memories raises none, so that it waits for no profile", async () => {
  const made = await scene();
  await pool.query(`UPDATE "Memory" SET "deletedAt" = now() WHERE id = $1`, [made.memoryId]);
  const before = await revisions(made);
  await pool.query(`DELETE FROM "Memory" WHERE id = $1`, [made.memoryId]);
  expect(await revisions(made)).toEqual(before);
});

test("a DID that is gone does not come back with a revision that it had", async () => {
  const { agent } = await scene();
  const revisionOf = async () => {
    const { rows } = await pool.query(`SELECT revision FROM "Agent" WHERE did = $1`, [agent.did]);
    return BigInt(rows[0].revision);
  };
  const before = await revisionOf();
  await pool.query(`DELETE FROM "Agent" WHERE did = $1`, [agent.did]);
  await engine.db.agent.create({
    data: {
      did: agent.did,
      name: "Other",
      origin: "admin",
      createdAt: testNow,
      updatedAt: testNow,
    },
    select: { did: true },
  });
  expect(await revisionOf()).not.toBe(before);
});
