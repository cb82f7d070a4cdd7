import { readFile } from "node:fs/promises";
import { Pool } from "pg";
import { describe, expect, test } from "vitest";
import { createEngine } from "@/lib/engine/engine";
import { loadEnv } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { knownMigrations, migrate } from "@/lib/engine/migrate";
import { type ChainedEvent, chainStart, hashOf } from "@/lib/services/audit/event-chain";
import { verifyLog } from "@/lib/services/audit/verify-log";
import { emptyDatabase } from "@/tests/support/database";
import { dumpSchema } from "./dump";

// A database of each version before, with rows, becomes one of this version.

const names = (await knownMigrations("prisma")).map(({ name }) => name);
const schema = await readFile("prisma/schema.sql", "utf8");

const at = "'2026-03-01T12:00:00Z'";
const agent = "'did:prof:agent:local:iris'";
const hash = "sha256('')";

/** Rows of the tables that each migration makes, and of those that it changes. */
const rows: Record<string, string> = {
  "0001_init": `
    INSERT INTO "User" (id, email, name, "passwordHash", role, "createdAt") VALUES
      ('usr_1', 'alice@example.com', 'Alice', 'hash', 'user', ${at}), ('usr_2', 'root@example.com', 'Root', 'hash', 'admin', ${at});
    INSERT INTO "Account" VALUES ('github', '1', 'usr_1', ${at});
    INSERT INTO "Session" VALUES (${hash}, 'ses_1', 'usr_1', NULL, ${at}, ${at}, ${at}, ${at});
    INSERT INTO "OneTimeLink" ("tokenHash", purpose, "createdAt", "expiresAt") VALUES (${hash}, 'invitation', ${at}, ${at});
    INSERT INTO "Profile" (did, "ownerId", "createdAt", "updatedAt") VALUES ('did:prof:user:local:alice', 'usr_1', ${at}, ${at});
    INSERT INTO "Transfer" ("profileId", "fromUserId", "toUserId", "createdAt", "effectiveAt") VALUES (1, 'usr_1', 'usr_2', ${at}, ${at});
    INSERT INTO "NamedValue" VALUES (1, 'prof:professional', 'occupation', '"engineer"', ${at});
    INSERT INTO "Agent" (did, name, state, origin, "createdAt", "updatedAt") VALUES (${agent}, 'Iris', 'active', 'admin', ${at}, ${at});
    INSERT INTO "AgentDay" VALUES (${agent}, ${at}, 2, 1);
    INSERT INTO "Key" (id, did, "publicKey", slot, "createdAt") VALUES ('key_1', ${agent}, ${hash}, 1, ${at});
    INSERT INTO "RetiredDid" VALUES (${hash}, ${at});
    INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category, confidence, "proposedAt", "expiresAt")
      VALUES ('prop_1', 1, ${agent}, 'Likes tea.', ${hash}, 'prof:interests', 1, ${at}, '2026-04-01');
    INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "proposalId", "createdAt", "updatedAt")
      VALUES ('mem_1', 1, 'prof:interests', 'Likes moss.', 1, 'owner', 'prop_1', ${at}, ${at});
    INSERT INTO "MemoryRevision" ("memoryId", category, content, confidence, cause, "createdAt")
      VALUES ('mem_1', 'prof:interests', 'Likes moss.', 1, 'created', ${at});
    INSERT INTO "ConsentRequest" (id, "profileId", "agentDid", scopes, "purposeType", "requestedAt")
      VALUES ('creq_1', 1, ${agent}, '{prof:health}', 'research', ${at});
    INSERT INTO "Policy" (id, "profileId", "agentPattern", allow, permissions, origin, "createdAt", "updatedAt")
      VALUES ('pol_1', 1, ${agent}, '{prof:interests}', '{read}', 'token', ${at}, ${at});
    INSERT INTO "Receipt" (id, "profileId", "agentDid", "grantedScopes", "purposeType", "grantedAt", "expiresAt")
      VALUES ('rcpt_1', 1, ${agent}, '{prof:interests}', 'research', ${at}, '2026-03-01T13:00:00Z');
    INSERT INTO "ConnectionToken" (id, "tokenHash", "policyId", "lastFour", "profileId", "agentDid", scopes, "createdAt", "expiresAt")
      VALUES ('tok_1', ${hash}, 'pol_1', 'abcd', 1, ${agent}, '{prof:interests}', ${at}, '2026-04-01');
    INSERT INTO "Nonce" VALUES (${agent}, 'nonce', ${at});
    INSERT INTO "RateWindow" VALUES (${agent}, 'profile', ARRAY[${at}::timestamptz], '{1}', ${at});
    INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, detail, "requestId") VALUES
      ('evt_1', 1, ${at}, 'owner', 'usr_1', 'addMemory', 'ok', '{"é": [1, null]}', 'req_1'),
      ('evt_2', 1, ${at}, 'agent', ${agent}, 'getProfile', 'ok', '{}', 'req_2');
    INSERT INTO "AdminEvent" (id, at, "adminId", verb, "requestId") VALUES ('evt_3', ${at}, 'usr_2', 'registerAgent', 'req_3');
    INSERT INTO "Setting" VALUES ('SIGN_UP', '"invitation"', ${at}, 'usr_2');
    INSERT INTO "Job" ("name", "startedAt") VALUES ('seal-events', ${at});`,
  "0002_connect": `
    INSERT INTO "Client" VALUES ('https://client.example/', 'did:prof:agent:local:client', 'Client', '{http://localhost/}', NULL, ${at}, ${at});
    INSERT INTO "ConnectionToken" (id, "clientId", resource, "profileId", "agentDid", scopes, "createdAt", "expiresAt")
      VALUES ('tok_2', 'https://client.example/', 'http://localhost/mcp', 1, ${agent}, '{prof:interests}', ${at}, '2026-04-01');
    INSERT INTO "Authorization" ("idHash", "clientId", "redirectUri", challenge, issuer, scopes, proposes, "expiresAt")
      VALUES (${hash}, 'https://client.example/', 'http://localhost/', repeat('c', 43), 'http://localhost', '{prof:interests}', false, ${at});
    INSERT INTO "ConnectionSecret" VALUES (${hash}, 'tok_2', 'refresh', ${at}, '2026-04-01', NULL);`,
  "0003_inquiry": `INSERT INTO "Inquiry" VALUES ('creq_1', 1, ${agent}, 'Why?', ${at}, NULL, NULL);`,
  "0004_messages": `
    INSERT INTO "Delivery" (id, sink, recipient, kind, body, "dueAt", "madeAt") VALUES ('dlv_1', 'mail', 'usr_1', 'request', '{}', ${at}, ${at});
    INSERT INTO "Mailbox" ("userId", "stopKey", "confirmedAt") VALUES ('usr_1', decode(repeat('ab', 16), 'hex'), ${at});
    INSERT INTO "Webhook" ("agentDid", url, secret, "createdAt", "updatedAt") VALUES (${agent}, 'https://agent.example/', ${hash}, ${at}, ${at});`,
  "0005_gone": `INSERT INTO "Gone" (kind, key) VALUES ('token.revoked', ${hash});`,
  "0006_gate": `
    UPDATE "Memory" SET flags = '{link}', "likeText" = 'likes moss';
    UPDATE "Proposal" SET flags = '[{"kind": "link", "in": "content", "start": 0, "end": 5}]', "likeText" = 'likes tea';
    UPDATE "Profile" SET "rejectionKey" = ${hash};
    INSERT INTO "ImportBatch" (id, "profileId", "agentDid", name, format, items, known, "leftOut", "createdAt")
      VALUES ('imp_1', 1, 'did:prof:agent:local:import-1', 'Import from mem0', 'mem0', 1, 0, '{}', ${at});
    INSERT INTO "Rejection" (id, "profileId", "agentDid", fingerprint, category, "proposalId", "rejectedAt")
      VALUES ('rej_1', 1, ${agent}, ${hash}, 'prof:interests', 'prop_1', ${at});`,
  "0007_review": `
    INSERT INTO "ApproveRule" (id, "profileId", "agentDid", categories, "confidenceMin", "usesMax", "createdAt", "expiresAt")
      VALUES ('rule_1', 1, ${agent}, '{prof:interests}', 0.8, 100, ${at}, '2026-03-15');
    INSERT INTO "Reviewer" (id, "profileId", "userId", "createdAt", "expiresAt") VALUES ('rvw_1', 1, 'usr_2', ${at}, '2026-03-15');
    UPDATE "Policy" SET origin = 'quarantine', "resumeAskedAt" = ${at}, "resumeReason" = 'It works again.';
    UPDATE "Proposal" SET "heldAt" = ${at}, "ruleId" = 'rule_1', "reviewerId" = 'rvw_1';`,
};

test("every migration has its rows here", () => {
  expect(Object.keys(rows)).toEqual(names);
});

describe.each(names)("a database that %s was the last migration of", (last) => {
  test("becomes one of this version, with all its rows, its triggers and its seals", async () => {
    const url = await emptyDatabase();
    const pool = new Pool({ connectionString: url });
    const only = names.slice(0, names.indexOf(last) + 1);
    await migrate(pool, "prisma", { only });
    for (const name of only) await pool.query(rows[name] ?? "");
    await sealAll(pool);
    const before = await readRows(pool);
    expect(Object.values(before).filter((found) => found.length === 0)).toEqual([]);
    expect(await migrate(pool, "prisma")).toEqual(names.slice(only.length));
    expect(await readRows(pool)).toMatchObject(before);
    expect(await dumpSchema(pool)).toBe(schema);
    const off = await pool.query(
      "SELECT FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'O'",
    );
    expect(off.rowCount).toBe(0);
    await expect(pool.query(`DELETE FROM "AccessEvent"`)).rejects.toThrow("append-only");
    expect(await verifySeals(url)).toMatchObject({ intact: true, sealed: 2, unsealed: 0 });
    await pool.end();
  });
});

/** As the gateway of that time did. */
async function sealAll(pool: Pool): Promise<void> {
  const { rows: events } = await pool.query<ChainedEvent>(
    `SELECT * FROM "AccessEvent" ORDER BY id`,
  );
  let before: Uint8Array = chainStart;
  for (const [index, event] of events.entries()) {
    before = hashOf({ before, position: BigInt(index + 1), event });
    const values = [event.id, index + 1, before];
    await pool.query(`UPDATE "AccessEvent" SET position = $2, hash = $3 WHERE id = $1`, values);
  }
  const values = [events.length, before];
  await pool.query(`INSERT INTO "Seal" VALUES (1, $1, $2, ${at})`, values);
}

async function readRows(pool: Pool): Promise<Record<string, object[]>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
       AND relname <> '_prisma_migrations' ORDER BY 1`,
  );
  const found: Record<string, object[]> = {};
  for (const { name } of tables) {
    const { rows: ofTable } = await pool.query(
      `SELECT to_jsonb(t) AS row FROM "${name}" t ORDER BY to_jsonb(t)::text`,
    );
    found[name] = ofTable.map(({ row }) => row);
  }
  return found;
}

async function verifySeals(url: string) {
  const env = loadEnv({ NODE_ENV: "test", DATABASE_URL: url });
  const engine = createEngine(env, createLog({ level: "silent" }));
  try {
    return await verifyLog(engine, 1);
  } finally {
    await engine.stop();
  }
}
