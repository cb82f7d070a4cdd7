import { expect, onTestFinished, test } from "vitest";
import { openPool } from "@/lib/engine/db";
import { testEngine, testNow } from "@/lib/testing/harness";
import { givePolicy, mintAgent, mintOwner } from "@/lib/testing/personas";
import { loadFacts } from "./facts";

const engine = await testEngine();

test.each([0, 1, 5, 50, 500])(
  "facts are found by their keys, by a plan from when there were %d of others",
  async (few) => {
    // One connection, so that a plan which was made stays the plan.
    const pool = openPool({
      url: engine.env.DATABASE_URL ?? "",
      poolMax: 1,
      onIdleError: (error) => expect.unreachable(error.message),
    });
    onTestFinished(() => pool.end());
    const [alice, others, iris] = [
      await mintOwner(engine),
      await mintOwner(engine),
      await mintAgent(engine),
    ];
    await pool.query('TRUNCATE "Receipt", "Policy" CASCADE');
    const addOthers = async (from: number, to: number) => {
      await pool.query(
        `INSERT INTO "Receipt" (id, "profileId", "agentDid", "purposeType", "grantedAt", "expiresAt", "grantedScopes")
         SELECT 'rcpt_' || n, $3, 'did:prof:agent:local:' || n, 'support', $4, $5, '{prof:interests}'
         FROM generate_series($1::int, $2::int - 1) n`,
        [from, to, alice.profileId, testNow, new Date(testNow.getTime() + 1)],
      );
      await pool.query(
        `INSERT INTO "Policy" (id, "profileId", "agentPattern", origin)
         SELECT 'pol_' || n, $3, '*', 'owner' FROM generate_series($1::int, $2::int - 1) n`,
        [from, to, others.profileId],
      );
    };
    const asked = {
      profileDid: alice.did,
      caller: { kind: "agent" as const, did: iris.did },
      now: testNow,
    };
    await addOthers(0, few);
    await pool.query('VACUUM ANALYZE "Receipt", "Policy"');
    // PostgreSQL keeps a plan from the sixth time on.
    for (let time = 1; time <= 6; time++) await loadFacts(pool, asked);

    await addOthers(few, 5_000);
    await givePolicy(engine, alice.profileId, {});
    await pool.query("BEGIN");
    const rowsRead = async () => {
      const { rows } = await pool.query<{ read: number }>(
        `SELECT sum(seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables`,
      );
      return rows[0]?.read ?? 0;
    };
    const before = await rowsRead();
    const { facts } = await loadFacts(pool, asked);
    expect((await rowsRead()) - before).toBeLessThan(20);
    expect(facts?.policies).toHaveLength(1);
  },
);
