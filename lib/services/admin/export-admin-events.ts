import { pieces } from "@/lib/engine/load/chunks";
import { demandAdmin } from "../archive/still-reads";
import type { Ctx } from "../context";
import { administer } from "./administer";
import { type AdminEventLine, type AdminEventsQuery, listAdminEvents } from "./list-admin-events";

const eventsAtOnce = 500;

type Input = Omit<AdminEventsQuery, "after" | "limit"> & { format: string };

/** Yields the log in chunks, up to this instant, while the caller is an admin. Records the export. */
export async function exportAdminEvents(
  ctx: Ctx,
  { format, ...filter }: Input,
): Promise<AsyncGenerator<AdminEventLine[]>> {
  await administer(ctx, {}, async ({ record }) => {
    await record({ verb: "exportAdminActivity", subjectId: format });
  });
  const to = filter.to === undefined || filter.to > ctx.now ? ctx.now : filter.to;
  return batches(ctx, { ...filter, to });
}

function batches(ctx: Ctx, filter: Omit<Input, "format">) {
  return pieces<AdminEventLine>(eventsAtOnce, async (limit, after) => {
    const { events, next } = await listAdminEvents(ctx, { ...filter, after, limit });
    await demandAdmin(ctx);
    return { rows: events, isCut: next !== null };
  });
}
