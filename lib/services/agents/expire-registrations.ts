import { inBackgroundTransaction } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import { recordAdmin } from "../audit/record";
import { contextOf } from "../context";
import { forgetDeliveries } from "../webhooks/enqueue";

const batchMax = 100;
const waitDays = 30;

/** Agents that registered themselves and that no admin approved. Their DIDs are free again. */
export async function expireRegistrations(engine: Engine): Promise<number> {
  const ctx = contextOf(engine, { kind: "gateway" });
  const before = new Date(ctx.now.getTime() - waitDays * 24 * 60 * 60_000);
  return inBackgroundTransaction(ctx.db, async (tx) => {
    const rows = await tx.$queryRaw<
      { did: string; name: string }[]
    >`DELETE FROM "Agent" WHERE did = ANY(ARRAY(
         SELECT did FROM "Agent" WHERE state = 'pending' AND origin = 'itself' AND "createdAt" <= ${before}
         ORDER BY "createdAt" LIMIT ${batchMax} FOR UPDATE SKIP LOCKED))
       RETURNING did, name`;
    const dids = rows.map(({ did }) => did);
    await tx.key.deleteMany({ where: { did: { in: dids } } });
    await forgetDeliveries(tx, dids);
    for (const { did, name } of rows) {
      const event = { verb: "expireRegistration", subjectId: did, before: { name } };
      await recordAdmin(tx, { ctx, event });
    }
    return rows.length;
  });
}
