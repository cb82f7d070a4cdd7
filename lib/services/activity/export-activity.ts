import type { Db } from "@/lib/engine/db";
import { pieces } from "@/lib/engine/load/chunks";
import { demandOwner } from "../archive/still-reads";
import { demandConfirmed } from "../authority";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";
import { loadEvents, type SealedEvent } from "./load-events";
import type { ActivityFilter } from "./matching";

const eventsAtOnce = 500;

export interface ExportInput extends ActivityFilter {
  did: string;
  /** The format, for the event that this records. */
  format: string;
}

/**
 * Yields the log up to this instant, oldest first, in chunks, while the caller may export it. Leaves out its
 * own event, and seals cannot change in between.
 */
export async function exportActivity(
  ctx: Ctx,
  { did, format, ...filter }: ExportInput,
): Promise<AsyncGenerator<SealedEvent[]>> {
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile, record }) => {
    await demandConfirmed(ctx.db, ctx);
    const to = filter.to === undefined || filter.to > ctx.now ? ctx.now : filter.to;
    // Sealing does not wait for the disk; our own event does, and with it everything sealed before.
    const sealedTo = await findLastSealed(ctx.db, profile.id);
    await record({ detail: { exported: format } });
    ctx.announce(profile.id);
    const { id: profileId, ownerId } = profile;
    return batches(ctx, { ...filter, to, profileId, ownerId, sealedTo });
  });
}

async function findLastSealed(db: Db, profileId: number): Promise<bigint> {
  const rows = await db.$queryRaw<
    { last: string }[]
  >`SELECT coalesce(max(position), 0)::text AS last FROM "Seal" WHERE "profileId" = ${profileId}`;
  return BigInt(rows[0]?.last ?? 0);
}

interface Batches extends ActivityFilter {
  profileId: number;
  ownerId: string;
  sealedTo: bigint;
}

async function* batches(ctx: Ctx, { sealedTo, ownerId, ...filter }: Batches) {
  const read = async (limit: number, after?: SealedEvent) => {
    const page = { ...filter, after, order: "oldest", limit } as const;
    const piece = await ctx.shares.heavy(ownerId, () => loadEvents(ctx.pool, page));
    await demandOwner(ctx, filter.profileId);
    return piece;
  };
  for await (const events of pieces(eventsAtOnce, read)) {
    yield events.map((event) => asSealedTo(sealedTo, event));
  }
}

function asSealedTo(last: bigint, event: SealedEvent): SealedEvent {
  const isLater = event.position !== null && BigInt(event.position) > last;
  return isLater ? { ...event, position: null, hash: null, hashBefore: null } : event;
}
