import type { PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import type { ProfileFact } from "@/lib/rules/may";
import { type Ctx, contextOf } from "../context";
import { dropEmptyPeriods } from "./periods";
import { record } from "./record";

const profilesAtOnce = 20;
const eventsAtOnce = 1_000;
const dayMs = 24 * 60 * 60_000;

/**
 * Drops what is older than ACCESS_EVENTS_DAYS, whole days of it, so that a log loses some once a day.
 * Only sealed events up to a seal go; an event of the log names that seal, and the chain goes on from
 * there.
 */
export async function dropEvents(engine: Engine): Promise<number> {
  const { pool } = engine;
  const ctx = contextOf(engine, { kind: "gateway" });
  const kept = ctx.now.getTime() - engine.settings.values().ACCESS_EVENTS_DAYS * dayMs;
  const before = new Date(Math.floor(kept / dayMs) * dayMs);
  const { rows } = await pool.query<{ id: number }>(
    `SELECT p.id FROM "Profile" p CROSS JOIN LATERAL (${baseOf("p.id", "$1")}) base
     WHERE EXISTS (SELECT FROM "AccessEvent" e WHERE e."profileId" = p.id AND e.at < $1)
     LIMIT $2`,
    [before, profilesAtOnce],
  );
  let dropped = 0;
  for (const { id } of rows) {
    dropped += await inTransaction(pool, (client) => dropOf(client, { ctx, id, before }));
  }
  return dropped + (await dropEmptyPeriods(pool, before));
}

/** The last seal before the first event that stays, where there is more to drop than word of a drop. */
function baseOf(profileId: string, before: string): string {
  return `
    SELECT s.position, s.hash FROM "Seal" s
    WHERE s."profileId" = ${profileId}
      AND s.position < coalesce((SELECT e.position FROM "AccessEvent" e
        WHERE e."profileId" = ${profileId} AND e.position IS NOT NULL AND e.at >= ${before}
        ORDER BY e.position LIMIT 1), 9223372036854775807)
      AND s.position < ${eventsAtOnce} + (SELECT e.position FROM "AccessEvent" e
        WHERE e."profileId" = ${profileId} AND e.position IS NOT NULL ORDER BY e.position LIMIT 1)
      AND EXISTS (SELECT FROM "AccessEvent" e WHERE e."profileId" = ${profileId}
        AND e.position <= s.position AND e.verb <> 'dropEvents')
    ORDER BY s.position DESC LIMIT 1`;
}

interface Dropping {
  ctx: Ctx;
  id: number;
  before: Date;
}

async function dropOf(client: PoolClient, { ctx, id, before }: Dropping): Promise<number> {
  // The lock keeps it apart from an erasure, and from another that drops.
  const { rows: profiles } = await client.query<ProfileFact & { id: number }>(
    `SELECT id, did, "ownerId", state FROM "Profile" WHERE id = $1 FOR NO KEY UPDATE`,
    [id],
  );
  const { rows: bases } = await client.query<{ position: string; hash: Buffer }>(
    baseOf("$1::int", "$2::timestamptz"),
    [id, before],
  );
  const [[profile], [base]] = [profiles, bases];
  if (profile === undefined || base === undefined) return 0;
  const detail = {
    through: Number(base.position),
    hash: base.hash.toString("hex"),
    before: before.toISOString(),
  };
  const said = await record(client, { ctx, profile, event: { verb: "dropEvents", detail } });
  await client.query("SELECT set_config('gateway.retaining', $1, true)", [said]);
  const { rowCount } = await client.query(
    `DELETE FROM "AccessEvent" WHERE "profileId" = $1 AND position <= $2`,
    [id, base.position],
  );
  await client.query(`DELETE FROM "Seal" WHERE "profileId" = $1 AND position < $2`, [
    id,
    base.position,
  ]);
  return rowCount ?? 0;
}
