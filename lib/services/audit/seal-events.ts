import { type Db, inBackgroundTransaction, type Tx } from "@/lib/engine/db";
import { type Chunk, type Cut, chunkSql, cutOff } from "@/lib/engine/load/chunks";
import { nextTurn } from "@/lib/engine/load/heavy-keys";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { eraseLateEvents } from "../erasure/erase-late-events";
import { mailNewAgents } from "../mail/new-agents";
import { countAgents } from "./count-agents";
import { type ChainedEvent, chainStart, hashOf } from "./event-chain";

// Twice as many go by faster, but hold on to the agents and profiles they name for up to a tenth of a second.
export const sealedAtOnce = 125;
// Two that sealed at once would both continue the same chain.
const sealingLock = 7_105_316_002n;

/** Gives the oldest unsealed events their place in their profile's chain. Protocol 9. */
export async function sealEvents(db: Db, now: Date): Promise<number> {
  let sealed = 0;
  let limit = sealedAtOnce;
  for (;;) {
    const piece = await sealPiece(db, { now, limit });
    sealed += piece.sealed;
    limit = Math.min(sealedAtOnce - sealed, 2 * piece.sealed);
    if (!piece.isCut || limit === 0) return sealed;
  }
}

async function sealPiece(
  db: Db,
  { now, limit }: { now: Date; limit: number },
): Promise<{ sealed: number; isCut: boolean }> {
  return inBackgroundTransaction(db, async (tx) => {
    const locks = await tx.$queryRaw<
      { held: boolean }[]
    >`SELECT pg_try_advisory_xact_lock(${sealingLock}::bigint) AS held`;
    if (!locks[0]?.held) return { sealed: 0, isCut: false };
    const { rows: events, isCut } = await loadUnsealed(tx, limit);
    // Once nobody waits behind them.
    if (!isCut && events.length < limit) await eraseLateEvents(tx);
    const heads = await loadHeads(tx, [...new Set(events.map((event) => event.profileId))]);
    await nextTurn();
    const sealed = events.map((event) => {
      const head = heads.get(event.profileId) ?? { position: 0n, hash: chainStart };
      const position = head.position + 1n;
      const next = { position, hash: hashOf({ before: head.hash, position, event }) };
      heads.set(event.profileId, next);
      return { id: event.id, at: event.at, ...next };
    });
    await store(tx, { sealed, heads, now });
    await countAgents(tx, events);
    await mailNewAgents(tx, { events, now });
    return { sealed: sealed.length, isCut };
  });
}

/** The oldest, without those of a profile that is being erased; none begins to be until they are sealed. */
async function loadUnsealed(tx: Tx, limit: number): Promise<Chunk<ChainedEvent>> {
  const piece = chunkSql({ rows: unsealed(limit), order: Prisma.sql`at, id` });
  return cutOff(await tx.$queryRaw<(ChainedEvent & Cut)[]>(piece));
}

const unsealed = (
  limit: number,
) => Prisma.sql`SELECT e.* FROM "AccessEvent" e JOIN "Profile" p ON p.id = e."profileId"
    WHERE e.hash IS NULL ORDER BY e.at, e.id LIMIT ${limit}
    FOR KEY SHARE OF p SKIP LOCKED`;

interface Head {
  position: bigint;
  hash: Uint8Array;
}

async function loadHeads(tx: Tx, profileIds: number[]): Promise<Map<number, Head>> {
  const rows = await tx.$queryRaw<
    { profileId: number; position: bigint; hash: Uint8Array }[]
  >`SELECT s.* FROM unnest(${profileIds}::int[]) AS p (id) CROSS JOIN LATERAL (
       SELECT "profileId", position, hash FROM "Seal" WHERE "profileId" = p.id
       ORDER BY position DESC LIMIT 1) s`;
  return new Map(rows.map(({ profileId, position, hash }) => [profileId, { position, hash }]));
}

interface Storing {
  sealed: (Head & { id: string; at: Date })[];
  heads: Map<number, Head>;
  now: Date;
}

async function store(tx: Tx, { sealed, heads, now }: Storing): Promise<void> {
  if (sealed.length === 0) return;
  await tx.$executeRaw`UPDATE "AccessEvent" e SET position = s.position, hash = s.hash
     FROM unnest(${sealed.map(({ id }) => id)}::text[], ${sealed.map(({ at }) => at)}::timestamptz[], ${sealed.map(({ position }) => position)}::bigint[], ${sealed.map((s) => s.hash)}::bytea[]) AS s (id, at, position, hash)
     WHERE e.id = s.id AND e.at = s.at`;
  const chains = [...heads];
  await tx.$executeRaw`INSERT INTO "Seal" ("profileId", position, hash, "sealedAt")
     SELECT *, ${now}::timestamptz FROM unnest(${chains.map(([id]) => id)}::int[], ${chains.map(([, h]) => h.position)}::bigint[], ${chains.map(([, h]) => h.hash)}::bytea[])`;
}
