import { type Db, inBackgroundTransaction, type Tx } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { ProfileFact } from "@/lib/rules/may";
import { type Ctx, contextOf } from "../context";
import { record } from "./record";

const logsAtOnce = 100;
const eventsAtOnce = 1_000;
const dayMs = 24 * 60 * 60_000;

/** Returns the start of the kept log: ACCESS_EVENTS_DAYS in whole days, so that logs shrink once a day. */
function keptSince({ now, settings }: Engine): Date {
  const kept = now().getTime() - settings.values().ACCESS_EVENTS_DAYS * dayMs;
  return new Date(Math.floor(kept / dayMs) * dayMs);
}

/**
 * Drops what is older than that, some logs further on a walk over all of them; says how many it looked at.
 * Only sealed events up to a seal go; an event of the log names that seal, and the chain goes on from there.
 */
export async function dropEvents(engine: Engine): Promise<number> {
  const { db } = engine;
  const ctx = contextOf(engine, { kind: "gateway" });
  const before = keptSince(engine);
  const walk = await findWalk(db, before);
  if (walk.after === null) return 0;
  const rows = await db.$queryRaw<
    { id: number; isDue: boolean }[]
  >`SELECT p.id, EXISTS (SELECT FROM "AccessEvent" e WHERE e."profileId" = p.id AND e.at < ${before})
       AND EXISTS (${baseOf(Prisma.sql`p.id`, before)}) AS "isDue"
     FROM (SELECT id FROM "Profile" WHERE id > ${walk.after} ORDER BY id LIMIT ${logsAtOnce}) p ORDER BY p.id`;
  let dropped = 0;
  for (const { id } of rows.filter(({ isDue }) => isDue)) {
    try {
      dropped += await inBackgroundTransaction(db, (tx) => dropOf(tx, { ctx, id, before }));
    } catch (error) {
      // The logs behind it must not wait until this one is mended.
      await storeWalk(db, { ...walk, after: id });
      throw error;
    }
  }
  // Where some went there may be more of the same logs. Where nobody is left, the walk is over.
  if (dropped === 0) await storeWalk(db, { ...walk, after: rows.at(-1)?.id ?? null });
  return rows.length;
}

/** Through all logs, in the order of their profiles. It takes as many turns, and days, as it needs. */
interface Walk {
  /** From when on events were kept as it began. */
  since: string;
  /** The last profile that it has passed; null once it is over. */
  after: number | null;
}

const job = "drop-events";

async function findWalk(db: Db, before: Date): Promise<Walk> {
  const rows = await db.$queryRaw<
    { progress: Walk | null }[]
  >`SELECT progress FROM "Job" WHERE name = ${job}`;
  const since = before.toISOString();
  const walk = rows[0]?.progress ?? null;
  const isToBegin = walk === null || (walk.after === null && walk.since !== since);
  return isToBegin ? { since, after: 0 } : walk;
}

async function storeWalk(db: Db, walk: Walk): Promise<void> {
  await db.$executeRaw`INSERT INTO "Job" (name, "startedAt", progress) VALUES (${job}, now(), ${JSON.stringify(walk)}::jsonb)
     ON CONFLICT (name) DO UPDATE SET progress = excluded.progress`;
}

/** The last seal before the first event that stays, where there is more to drop than word of a drop. */
function baseOf(profileId: Prisma.Sql, before: Date): Prisma.Sql {
  return Prisma.sql`
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

async function dropOf(tx: Tx, { ctx, id, before }: Dropping): Promise<number> {
  // The lock keeps it apart from an erasure, and from another that drops.
  const profiles = await tx.$queryRaw<
    (ProfileFact & { id: number })[]
  >`SELECT id, did, "ownerId", state FROM "Profile" WHERE id = ${id} FOR NO KEY UPDATE`;
  const bases = await tx.$queryRaw<{ position: bigint; hash: Uint8Array }[]>(
    baseOf(Prisma.sql`${id}::int`, before),
  );
  const [[profile], [base]] = [profiles, bases];
  if (profile === undefined || base === undefined) return 0;
  const detail = {
    through: Number(base.position),
    hash: Buffer.from(base.hash).toString("hex"),
    before: before.toISOString(),
  };
  const said = await record(tx, { ctx, profile, event: { verb: "dropEvents", detail } });
  await tx.$executeRaw`SELECT set_config('gateway.retaining', ${said}, true)`;
  const rowCount =
    await tx.$executeRaw`DELETE FROM "AccessEvent" WHERE "profileId" = ${id} AND position <= ${base.position}`;
  await tx.$executeRaw`DELETE FROM "Seal" WHERE "profileId" = ${id} AND position < ${base.position}`;
  return rowCount;
}
