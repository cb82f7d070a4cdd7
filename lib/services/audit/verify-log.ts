import type { Pool, PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import { type ChainedEvent, chainStart, hashOf } from "./event-chain";

export interface Verification {
  intact: boolean;
  /** How many events were checked, and how many still wait for the next sealing. */
  sealed: number;
  unsealed: number;
  /** How many older ones are gone because the gateway keeps events for so long only. */
  dropped: number;
  /** The first event that is not as it was sealed; by its place where the event itself is gone. */
  broken: { position: number; eventId: string | null } | null;
}

const batchMax = 1_000;

/**
 * Walks a profile's whole chain and holds it against every seal. Decisions 9. Where events were
 * dropped it begins at the last seal that an event of the log names for that.
 */
export async function verifyLog(pool: Pool, profileId: number): Promise<Verification> {
  return inTransaction(pool, async (client) => {
    // One look: nothing is sealed or dropped between two statements of it.
    await client.query("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return walk(client, profileId);
  });
}

async function walk(client: PoolClient, profileId: number): Promise<Verification> {
  const seals = await loadSeals(client, profileId);
  const unsealed = await countUnsealed(client, profileId);
  const base = await findBase(client, profileId);
  const dropped = Number(base.position);
  const verdict = (place: bigint, eventId: string | null): Verification => {
    const sealed = Math.max(0, Number(place) - 1 - dropped);
    return {
      intact: false,
      sealed,
      unsealed,
      dropped,
      broken: { position: Number(place), eventId },
    };
  };
  let before = base.hash;
  let position = base.position;
  // What was dropped and is there again is no part of the chain.
  let after = 0n;
  for (;;) {
    const events = await loadEvents(client, { profileId, after });
    for (const event of events) {
      position += 1n;
      const sealed = Buffer.from(event.hash ?? []);
      const seal = seals.get(position);
      const holds =
        BigInt(event.position ?? 0) === position &&
        hashOf({ before, position, event }).equals(sealed) &&
        (seal === undefined || seal.equals(sealed));
      if (!holds) return verdict(position, event.id);
      before = sealed;
      after = position;
    }
    if (events.length < batchMax) break;
  }
  const last = [...seals.keys()].at(-1) ?? 0n;
  if (last > position) return verdict(position + 1n, null);
  return { intact: true, sealed: Number(position) - dropped, unsealed, dropped, broken: null };
}

/** Where the chain begins: its start, or the last seal that was named when events were dropped. */
async function findBase(
  client: PoolClient,
  profileId: number,
): Promise<{ position: bigint; hash: Buffer }> {
  const { rows } = await client.query<{ position: string; hash: Buffer }>(
    `SELECT s.position, s.hash FROM "AccessEvent" e
     JOIN "Seal" s ON s."profileId" = e."profileId" AND s.position = (e.detail->>'through')::bigint
       AND encode(s.hash, 'hex') = e.detail->>'hash'
     WHERE e."profileId" = $1 AND e.verb = 'dropEvents' AND e.actor = 'system'
     ORDER BY s.position DESC LIMIT 1`,
    [profileId],
  );
  const [base] = rows;
  if (base === undefined) return { position: 0n, hash: chainStart };
  return { position: BigInt(base.position), hash: base.hash };
}

async function loadEvents(
  client: PoolClient,
  { profileId, after }: { profileId: number; after: bigint },
): Promise<ChainedEvent[]> {
  const { rows } = await client.query<ChainedEvent>(
    `SELECT * FROM "AccessEvent" WHERE "profileId" = $1 AND position > $2 ORDER BY position LIMIT $3`,
    [profileId, after, batchMax],
  );
  return rows;
}

async function loadSeals(client: PoolClient, profileId: number): Promise<Map<bigint, Buffer>> {
  const { rows } = await client.query<{ position: string; hash: Buffer }>(
    `SELECT position, hash FROM "Seal" WHERE "profileId" = $1 ORDER BY position`,
    [profileId],
  );
  return new Map(rows.map(({ position, hash }) => [BigInt(position), hash]));
}

async function countUnsealed(client: PoolClient, profileId: number): Promise<number> {
  const { rows } = await client.query<{ unsealed: number }>(
    `SELECT count(*)::int AS unsealed FROM "AccessEvent" WHERE "profileId" = $1 AND hash IS NULL`,
    [profileId],
  );
  return rows[0]?.unsealed ?? 0;
}
