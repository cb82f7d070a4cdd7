import type { Pool } from "pg";
import { type ChainedEvent, chainStart, hashOf } from "./event-chain";

export interface Verification {
  intact: boolean;
  /** How many events were checked, and how many still wait for the next sealing. */
  sealed: number;
  unsealed: number;
  /** The first event that is not as it was sealed; by its place where the event itself is gone. */
  broken: { position: number; eventId: string | null } | null;
}

const batchMax = 1_000;

/** Walks a profile's whole chain and holds it against every seal. Decisions 9. */
export async function verifyLog(pool: Pool, profileId: number): Promise<Verification> {
  const seals = await loadSeals(pool, profileId);
  const unsealed = await countUnsealed(pool, profileId);
  let before = chainStart;
  let position = 0n;
  for (;;) {
    const events = await loadEvents(pool, { profileId, after: position });
    for (const event of events) {
      position += 1n;
      const sealed = Buffer.from(event.hash ?? []);
      const seal = seals.get(position);
      const holds =
        BigInt(event.position ?? 0) === position &&
        hashOf({ before, position, event }).equals(sealed) &&
        (seal === undefined || seal.equals(sealed));
      if (!holds) return verdict({ position, unsealed, eventId: event.id });
      before = sealed;
    }
    if (events.length < batchMax) break;
  }
  const last = [...seals.keys()].at(-1) ?? 0n;
  if (last > position) return verdict({ position: position + 1n, unsealed, eventId: null });
  return { intact: true, sealed: Number(position), unsealed, broken: null };
}

interface Broken {
  position: bigint;
  unsealed: number;
  eventId: string | null;
}

function verdict({ position, unsealed, eventId }: Broken): Verification {
  const broken = { position: Number(position), eventId };
  return { intact: false, sealed: Number(position) - 1, unsealed, broken };
}

async function loadEvents(
  pool: Pool,
  { profileId, after }: { profileId: number; after: bigint },
): Promise<ChainedEvent[]> {
  const { rows } = await pool.query<ChainedEvent>(
    `SELECT * FROM "AccessEvent" WHERE "profileId" = $1 AND position > $2 ORDER BY position LIMIT $3`,
    [profileId, after, batchMax],
  );
  return rows;
}

async function loadSeals(pool: Pool, profileId: number): Promise<Map<bigint, Buffer>> {
  const { rows } = await pool.query<{ position: string; hash: Buffer }>(
    `SELECT position, hash FROM "Seal" WHERE "profileId" = $1 ORDER BY position`,
    [profileId],
  );
  return new Map(rows.map(({ position, hash }) => [BigInt(position), hash]));
}

async function countUnsealed(pool: Pool, profileId: number): Promise<number> {
  const { rows } = await pool.query<{ unsealed: number }>(
    `SELECT count(*)::int AS unsealed FROM "AccessEvent" WHERE "profileId" = $1 AND hash IS NULL`,
    [profileId],
  );
  return rows[0]?.unsealed ?? 0;
}
