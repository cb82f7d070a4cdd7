import type { Engine } from "@/lib/engine/engine";
import { GatewayError } from "@/lib/protocol/errors";
import { withAuthority } from "../authority";
import { contextOf } from "../context";
import { completeTransfer, isDue } from "./complete";
import { lockTransfer, type Requested } from "./transfer";

const batchMax = 20;

/** Job: completes transfers that the new owner accepted and the present owner did not answer in time. */
export async function completeDueTransfers(engine: Engine): Promise<number> {
  const ctx = contextOf(engine, { kind: "gateway" });
  const rows = await ctx.db.$queryRaw<
    (Requested & { did: string })[]
  >`SELECT p.did, t."fromUserId", t."toUserId", t."createdAt" FROM "Transfer" t JOIN "Profile" p ON p.id = t."profileId"
       JOIN "User" u ON u.id = t."fromUserId" AND u.state = 'active'
     WHERE t."acceptedByNewAt" IS NOT NULL AND t."effectiveAt" <= ${ctx.now}
     ORDER BY t."effectiveAt" LIMIT ${batchMax}`;
  let ended = 0;
  for (const { did, ...requested } of rows) {
    const demands = { users: [requested.toUserId], readsUsers: [requested.fromUserId] };
    const completing = withAuthority(ctx, demands, async (tx) => {
      const transfer = await lockTransfer(tx, { did, ...requested });
      if (!isDue(transfer, ctx.now)) return;
      await completeTransfer(tx, ctx, transfer);
      return transfer.profile.id;
    });
    // A failed transfer is tried again at the next turn; the others go on.
    const profileId = await completing.catch((error: unknown) => {
      if (!isGone(error)) engine.log.error("a transfer was not completed", { error });
    });
    if (profileId === undefined) continue;
    ended++;
    ctx.announce(profileId);
  }
  return ended;
}

// Refused, withdrawn or erased since it was found.
function isGone(error: unknown): boolean {
  return error instanceof GatewayError && error.code === "PROF003";
}
