import { inSweep } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import { recordAdmin } from "../audit/record";
import { contextOf } from "../context";

const batchMax = 100;
const waitDays = 30;

/** Agents that registered themselves and that no admin approved. Their DIDs are free again. */
export async function expireRegistrations(engine: Engine): Promise<number> {
  const ctx = contextOf(engine, { kind: "gateway" });
  const before = new Date(ctx.now.getTime() - waitDays * 24 * 60 * 60_000);
  return inSweep(ctx.pool, async (client) => {
    const { rows } = await client.query<{ did: string; name: string }>(
      `DELETE FROM "Agent" WHERE did IN (
         SELECT did FROM "Agent" WHERE state = 'pending' AND origin = 'itself' AND "createdAt" <= $1
         ORDER BY "createdAt" LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING did, name`,
      [before, batchMax],
    );
    const dids = rows.map(({ did }) => did);
    await client.query(`DELETE FROM "Key" WHERE did = ANY($1)`, [dids]);
    for (const { did, name } of rows) {
      const event = { verb: "expireRegistration", subjectId: did, before: { name } };
      await recordAdmin(client, { ctx, event });
    }
    return rows.length;
  });
}
