import type { Engine } from "@/lib/engine/engine";
import { GatewayError } from "@/lib/protocol/errors";
import { withAuthority } from "../authority";
import { contextOf } from "../context";
import { completeTransfer, isDue } from "./complete";
import { lockTransfer, type Parties } from "./transfer";

const batchMax = 20;

/** For a job: transfers whose present owner did not answer within the time, and whose new owner accepted. */
export async function completeDueTransfers(engine: Engine): Promise<number> {
  const ctx = contextOf(engine, { kind: "gateway" });
  const { rows } = await ctx.pool.query<Parties & { did: string }>(
    `SELECT p.did, t."fromUserId", t."toUserId" FROM "Transfer" t JOIN "Profile" p ON p.id = t."profileId"
     WHERE t."acceptedByNewAt" IS NOT NULL AND t."effectiveAt" <= $1
     ORDER BY t."effectiveAt" LIMIT $2`,
    [ctx.now, batchMax],
  );
  for (const { did, ...parties } of rows) {
    const demands = { users: [parties.toUserId], readsUsers: [parties.fromUserId] };
    await withAuthority(ctx, demands, async (client) => {
      const transfer = await lockTransfer(client, { did, ...parties });
      if (!isDue(transfer, ctx.now)) return;
      await completeTransfer(client, ctx, transfer);
      return transfer.profile.id;
    }).then((profileId) => profileId !== undefined && ctx.announce(profileId), unlessGone);
  }
  return rows.length;
}

// Refused, withdrawn or erased since it was found.
function unlessGone(error: unknown): void {
  if (!(error instanceof GatewayError && error.code === "PROF003")) throw error;
}
