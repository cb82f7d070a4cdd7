import { demandAdmin } from "../archive/still-reads";
import type { Ctx } from "../context";
import { administer } from "./administer";
import {
  type AdminEventLine,
  type AdminEventPlace,
  type AdminEventsAsked,
  listAdminEvents,
} from "./list-admin-events";

const batchMax = 500;

type Asked = Omit<AdminEventsAsked, "after" | "limit"> & { format: string };

/** A batch at a time as it is asked for, up to this instant and for who is still an admin; that it was exported is told as well. */
export async function exportAdminEvents(
  ctx: Ctx,
  { format, ...filter }: Asked,
): Promise<AsyncGenerator<AdminEventLine[]>> {
  await administer(ctx, {}, async ({ record }) => {
    await record({ verb: "exportAdminActivity", subjectId: format });
  });
  const to = filter.to === undefined || filter.to > ctx.now ? ctx.now : filter.to;
  return batches(ctx, { ...filter, to });
}

async function* batches(ctx: Ctx, filter: Omit<Asked, "format">) {
  let after: AdminEventPlace | undefined;
  for (;;) {
    const { events, next } = await listAdminEvents(ctx, { ...filter, after, limit: batchMax });
    await demandAdmin(ctx);
    if (events.length > 0) yield events;
    if (next === null) return;
    after = next;
  }
}
