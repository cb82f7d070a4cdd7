import type { Db, Pool } from "@/lib/engine/db";
import { chunkSql, pieces, readChunk } from "@/lib/engine/load/chunks";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Ctx } from "../context";
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

type Share = <T>(read: () => Promise<T>) => Promise<T>;

/** Where a chain has got to. */
interface Place {
  position: bigint;
  hash: Uint8Array;
}

/**
 * Walks a profile's whole chain, each piece in a share, and holds it against every seal. Protocol 9. Where events
 * were dropped it begins at the last seal that an event of the log names for that.
 */
export async function verifyLog(
  { db, pool }: Pick<Ctx, "db" | "pool">,
  profileId: number,
  share: Share = (read) => read(),
): Promise<Verification> {
  const { last, unsealed } = await findEnd(db, profileId);
  let base = await findBase(db, profileId);
  // An event that was dropped and inserted again is not part of the chain.
  let after = 0n;
  for (;;) {
    const { position, broken } = await walk({ pool, share, profileId }, { base, after });
    const dropped = Number(base.position);
    const sealed = Number(position) - dropped;
    if (broken === null && BigInt(last) <= position) {
      return { intact: true, sealed, unsealed, dropped, broken };
    }
    const moved = await findBase(db, profileId);
    if (moved.position <= position) {
      const place = { position: Number(position) + 1, eventId: broken };
      return { intact: false, sealed, unsealed, dropped, broken: place };
    }
    // The next events were dropped during the walk, which goes on after them.
    base = moved;
    after = position;
  }
}

interface Walking {
  pool: Pool;
  share: Share;
  profileId: number;
}

/** From a place of the chain, by what is stored behind another: how far it holds, and the first event that does not. */
async function walk(
  { pool, share, profileId }: Walking,
  { base, after }: { base: Place; after: bigint },
): Promise<{ position: bigint; broken: string | null }> {
  let { position, hash: before } = base;
  const batches = pieces<SealedEvent>(eventsAtOnce, (limit, last) =>
    share(() =>
      readChunk<SealedEvent>(pool, eventsAfter(profileId, BigInt(last?.position ?? after), limit)),
    ),
  );
  for await (const events of batches) {
    for (const { seal, ...event } of events) {
      const next = position + 1n;
      const sealed = Buffer.from(event.hash ?? []);
      const holds =
        BigInt(event.position ?? 0) === next &&
        hashOf({ before, position: next, event }).equals(sealed) &&
        (seal === null || seal.equals(sealed));
      if (!holds) return { position, broken: event.id };
      before = sealed;
      position = next;
    }
  }
  return { position, broken: null };
}

const eventsAtOnce = 1_000;

type SealedEvent = ChainedEvent & { seal: Buffer | null };

const eventsAfter = (profileId: number, position: bigint, limit: number) =>
  chunkSql({
    rows: Prisma.sql`SELECT e.*, s.hash AS seal FROM (
      SELECT * FROM "AccessEvent" WHERE "profileId" = ${profileId} AND position > ${position} ORDER BY position LIMIT ${limit}) e
    LEFT JOIN "Seal" s ON s."profileId" = e."profileId" AND s.position = e.position`,
    order: Prisma.sql`position`,
  });

/** Where the chain begins: its start, or the last seal that was named when events were dropped. */
async function findBase(db: Db, profileId: number): Promise<Place> {
  const rows = await db.$queryRaw<
    { position: bigint; hash: Uint8Array }[]
  >`SELECT s.position, s.hash FROM "AccessEvent" e
     JOIN "Seal" s ON s."profileId" = e."profileId" AND s.position = (e.detail->>'through')::bigint
       AND encode(s.hash, 'hex') = e.detail->>'hash'
     WHERE e."profileId" = ${profileId} AND e.verb = 'dropEvents' AND e.actor = 'system'
     ORDER BY s.position DESC LIMIT 1`;
  const [base] = rows;
  if (base === undefined) return { position: 0n, hash: chainStart };
  return base;
}

async function findEnd(db: Db, profileId: number): Promise<{ last: string; unsealed: number }> {
  const rows = await db.$queryRaw<
    { last: string; unsealed: number }[]
  >`SELECT coalesce((SELECT max(position) FROM "Seal" WHERE "profileId" = ${profileId}), 0)::text AS last,
       (SELECT count(*) FROM "AccessEvent" WHERE "profileId" = ${profileId} AND hash IS NULL)::int AS unsealed`;
  return rows[0] ?? { last: "0", unsealed: 0 };
}
