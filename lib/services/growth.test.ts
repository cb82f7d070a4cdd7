import type { Pool, QueryResultRow } from "pg";
import { describe, expect, test } from "vitest";
import type { Client } from "@/lib/protocol/client";
import type { Did } from "@/lib/protocol/did";
import { type TestEngine, testEngine, testNow } from "@/tests/support/harness";
import {
  giveMemory,
  giveProposal,
  giveToken,
  mintAgent,
  mintOwner,
  signedIn,
} from "@/tests/support/personas";
import { seeAsAgent } from "./access/sight/lens";
import { previewRequest } from "./access/sight/preview";
import type { Ctx } from "./context";

// PostgreSQL keeps a statement's plan until it has looked at the tables again. One that was made while there was
// hardly anything must find its rows among very much, too. Not so proposing: `Proposal` has so many indexes that while
// it is all but empty any of them is as good, and only autovacuum makes the next plan another one.

const many = 3_000;
// A few dozen do for each of these calls.
const rowsMax = 100;

interface World {
  engine: TestEngine;
  alice: Client;
  iris: Client;
  /** Iris, by a connection token. */
  token: Client;
  did: Did;
  /** The owner, signed in. */
  ctx: () => Ctx;
  given: { profileId: number; agentDid: string };
}

const calls: Record<string, (world: World, n: number) => Promise<unknown>> = {
  "GET profile": ({ iris, did }) => iris.getProfile({ did }),
  "GET profile by a token": ({ token, did }) => token.getProfile({ did }),
  "GET memories": ({ iris, did }) => iris.listMemories({ did, limit: 10 }),
  "POST access": ({ iris, did }) => {
    return iris.requestAccess({ did, scopes: ["prof:interests"], purpose: { type: "support" } });
  },
  "what Iris sees": ({ ctx, did, given: { agentDid } }) => seeAsAgent(ctx(), { did, agentDid }),
  "what a request would open": ({ ctx, did, given: { agentDid } }) => {
    const request = {
      agentDid,
      purposeType: "support",
      retention: null,
      scopes: ["prof:interests"],
    };
    return previewRequest(ctx(), { did, request });
  },
  "POST review": async ({ engine, alice, did, given }) => {
    const { id } = await giveProposal(engine, given);
    return alice.reviewProposal({ did, proposalId: id, action: "approve" });
  },
};

describe.each([0, 1, 5, 50, 500])("by plans from when there were %d rows of others", (few) => {
  test.each(Object.keys(calls))("%s reads none of 3,000", async (name) => {
    // As few connections as there may be: each has plans of its own.
    const engine = await testEngine({ DATABASE_POOL_MAX: "2" });
    const { pool } = engine;
    const owner = await mintOwner(engine, { policies: [{ permissions: ["read", "propose"] }] });
    const other = await mintOwner(engine);
    const agent = await mintAgent(engine);
    await giveMemory(engine, owner.profileId);
    const given = { profileId: owner.profileId, agentDid: agent.did };
    const { client: token } = await giveToken(engine, { owner, agent });
    const clients = { alice: owner.client, iris: agent.client, token };
    const world = { engine, ...clients, did: owner.did, ctx: () => signedIn(engine, owner), given };
    const add = async (from: number, to: number) => {
      const ids = { mine: owner.profileId, others: other.profileId };
      for (const statement of crowd({ from, to, ...ids })) await pool.query(statement);
    };
    await add(1, few);
    await pool.query("VACUUM ANALYZE");
    // On each of the two connections a plan is kept from about the sixth time on.
    for (let n = 0; n < 18; n++) await calls[name]?.(world, n);
    expect(await countKeptPlans(engine)).toBeGreaterThan(0);
    await add(few + 1, many);

    const before = await rowsRead(engine);
    await calls[name]?.(world, 18);
    const after = await rowsRead(engine);
    const much = [...after].filter(([table, rows]) => rows - (before.get(table) ?? 0) > rowsMax);
    expect(much).toEqual([]);
  });
});

async function countKeptPlans({ pool }: TestEngine): Promise<number> {
  const count = "SELECT coalesce(sum(generic_plans), 0)::int AS kept FROM pg_prepared_statements";
  const answers = await askBoth<{ kept: number }>(pool, count);
  return answers.reduce((sum, { kept }) => sum + kept, 0);
}

/** Holds both connections first: one that is still at work would be left out. */
async function askBoth<Row extends QueryResultRow>(pool: Pool, sql: string): Promise<Row[]> {
  const clients = await Promise.all([pool.connect(), pool.connect()]);
  try {
    const answers = await Promise.all(clients.map((client) => client.query<Row>(sql)));
    return answers.flatMap(({ rows }) => rows);
  } finally {
    for (const client of clients) client.release();
  }
}

async function rowsRead({ pool }: TestEngine): Promise<Map<string, number>> {
  // Each connection tells what it has read, once it is made to.
  const tell = "SELECT pg_stat_force_next_flush(), pg_sleep(0.02)";
  await askBoth(pool, tell);
  const { rows } = await pool.query<{ name: string; read: number }>(
    `SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int AS read FROM pg_stat_user_tables`,
  );
  return new Map(rows.map(({ name, read }) => [name, read]));
}

interface Crowd {
  from: number;
  to: number;
  mine: number;
  others: number;
}

/** What other agents did on the same profile, what another profile has, and agents, users and profiles. */
function crowd({ from, to, mine, others }: Crowd): string[] {
  const at = `'${testNow.toISOString()}'::timestamptz`;
  const numbers = `generate_series(${from}, ${to}) n`;
  return [
    `INSERT INTO "Receipt" (id, "profileId", "agentDid", "purposeType", "grantedAt", "expiresAt", "grantedScopes")
     SELECT 'rcpt_' || n, ${mine}, 'did:prof:agent:local:' || n, 'support', ${at}, ${at} + interval '1 hour', '{prof:interests}'
     FROM ${numbers}`,
    `INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category, confidence, "proposedAt", "expiresAt")
     SELECT 'prop_' || n, ${mine}, 'did:prof:agent:local:' || n, 'Likes ' || n, sha256(n::text::bytea), 'prof:interests', 0.7,
       ${at}, ${at} + interval '7 days'
     FROM ${numbers}`,
    `INSERT INTO "Policy" (id, "profileId", "agentPattern", origin, "createdAt", "updatedAt")
     SELECT 'pol_' || n, ${others}, '*', 'owner', ${at}, ${at} FROM ${numbers}`,
    `INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "createdAt", "updatedAt")
     SELECT 'mem_' || n, ${others}, 'prof:interests', 'Likes ' || n, 0.9, 'owner', ${at}, ${at} FROM ${numbers}`,
    `INSERT INTO "Agent" (did, name, state, origin, "createdAt", "updatedAt")
     SELECT 'did:prof:agent:local:' || n, 'Iris', 'active', 'admin', ${at}, ${at} FROM ${numbers}`,
    `INSERT INTO "Key" (id, did, "publicKey", slot, "createdAt")
     SELECT 'key_' || n, 'did:prof:agent:local:' || n, sha256(n::text::bytea), 1, ${at} FROM ${numbers}`,
    `INSERT INTO "User" (id, email, role, state, "createdAt")
     SELECT 'usr_' || n, n || '@example.com', 'user', 'active', ${at} FROM ${numbers}`,
    `INSERT INTO "Profile" (did, "ownerId", common, "createdAt", "updatedAt")
     SELECT 'did:prof:user:local:' || n, 'usr_' || n, '{}', ${at}, ${at} FROM ${numbers}`,
    `INSERT INTO "ConnectionToken" (id, "tokenHash", "lastFour", "profileId", "agentDid", scopes, permissions, "createdAt", "expiresAt")
     SELECT 'tok_' || n, sha256(n::text::bytea), 'abcd', ${others}, 'did:prof:agent:local:' || n, '{prof:*}', '{read}',
       ${at}, ${at} + interval '30 days'
     FROM ${numbers}`,
    `INSERT INTO "RateWindow" (caller, class, "expiresAt") SELECT 'did:prof:agent:local:' || n, 'profile', ${at} FROM ${numbers}`,
  ];
}
