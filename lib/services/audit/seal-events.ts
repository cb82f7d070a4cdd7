import type { Pool, PoolClient } from "pg";
import { inSweep } from "@/lib/engine/db";
import { ownTurn } from "@/lib/engine/load/much";
import { type Piece, pieceOf, readPiece } from "@/lib/engine/load/piece";
import { eraseLateEvents } from "../erasure/erase-late-events";
import { countAgents } from "./count-agents";
import { type ChainedEvent, chainStart, hashOf } from "./event-chain";

// Twice as many go by faster, but hold on to the agents and profiles they name for up to a tenth of a second.
export const sealedAtOnce = 125;
// Two that sealed at once would both continue the same chain.
const sealingLock = 7_105_316_002n;

/** Gives the oldest unsealed events their place in their profile's chain. Protocol 9. */
export async function sealEvents(pool: Pool, now: Date): Promise<number> {
  let sealed = 0;
  let limit = sealedAtOnce;
  for (;;) {
    const piece = await sealPiece(pool, { now, limit });
    sealed += piece.sealed;
    limit = Math.min(sealedAtOnce - sealed, 2 * piece.sealed);
    if (!piece.isCut || limit === 0) return sealed;
  }
}

async function sealPiece(
  pool: Pool,
  { now, limit }: { now: Date; limit: number },
): Promise<{ sealed: number; isCut: boolean }> {
  return inSweep(pool, async (client) => {
    const { rows: locks } = await client.query<{ held: boolean }>(
      "SELECT pg_try_advisory_xact_lock($1) AS held",
      [sealingLock],
    );
    if (!locks[0]?.held) return { sealed: 0, isCut: false };
    const { rows: events, isCut } = await loadUnsealed(client, limit);
    // Once nobody waits behind them.
    if (!isCut && events.length < limit) await eraseLateEvents(client);
    const heads = await loadHeads(client, [...new Set(events.map((event) => event.profileId))]);
    await ownTurn();
    const sealed = events.map((event) => {
      const head = heads.get(event.profileId) ?? { position: 0n, hash: chainStart };
      const position = head.position + 1n;
      const next = { position, hash: hashOf({ before: head.hash, position, event }) };
      heads.set(event.profileId, next);
      return { id: event.id, at: event.at, ...next };
    });
    await store(client, { sealed, heads, now });
    await countAgents(client, events);
    return { sealed: sealed.length, isCut };
  });
}

/** The oldest, without those of a profile that is being erased; none begins to be until they are sealed. */
async function loadUnsealed(client: PoolClient, limit: number): Promise<Piece<ChainedEvent>> {
  return readPiece<ChainedEvent>(client, unsealedStatement, [limit]);
}

const unsealedStatement = pieceOf({
  rows: `SELECT e.* FROM "AccessEvent" e JOIN "Profile" p ON p.id = e."profileId"
    WHERE e.hash IS NULL ORDER BY e.at, e.id LIMIT $1
    FOR KEY SHARE OF p SKIP LOCKED`,
  order: "at, id",
});

interface Head {
  position: bigint;
  hash: Buffer;
}

async function loadHeads(client: PoolClient, profileIds: number[]): Promise<Map<number, Head>> {
  const { rows } = await client.query<{ profileId: number; position: string; hash: Buffer }>(
    `SELECT s.* FROM unnest($1::int[]) AS p (id) CROSS JOIN LATERAL (
       SELECT "profileId", position, hash FROM "Seal" WHERE "profileId" = p.id
       ORDER BY position DESC LIMIT 1) s`,
    [profileIds],
  );
  return new Map(
    rows.map(({ profileId, position, hash }) => [profileId, { position: BigInt(position), hash }]),
  );
}

interface Storing {
  sealed: (Head & { id: string; at: Date })[];
  heads: Map<number, Head>;
  now: Date;
}

async function store(client: PoolClient, { sealed, heads, now }: Storing): Promise<void> {
  if (sealed.length === 0) return;
  await client.query(
    `UPDATE "AccessEvent" e SET position = s.position, hash = s.hash
     FROM unnest($1::text[], $2::timestamptz[], $3::bigint[], $4::bytea[]) AS s (id, at, position, hash)
     WHERE e.id = s.id AND e.at = s.at`,
    [
      sealed.map(({ id }) => id),
      sealed.map(({ at }) => at),
      sealed.map(({ position }) => position),
      sealed.map((s) => s.hash),
    ],
  );
  const chains = [...heads];
  await client.query(
    `INSERT INTO "Seal" ("profileId", position, hash, "sealedAt")
     SELECT *, $4::timestamptz FROM unnest($1::int[], $2::bigint[], $3::bytea[])`,
    [
      chains.map(([id]) => id),
      chains.map(([, h]) => h.position),
      chains.map(([, h]) => h.hash),
      now,
    ],
  );
}
