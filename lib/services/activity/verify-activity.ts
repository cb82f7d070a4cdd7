import { demandOwner } from "../archive/still-reads";
import { type Verification, verifyLog } from "../audit/verify-log";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

const running = new Map<number, Promise<Verification>>();

/** Verifies the chain for its owner; concurrent calls share a result. */
export async function verifyActivity(ctx: Ctx, did: string): Promise<Verification> {
  const input = { verb: "readActivity", did } as const;
  const { id, ownerId } = await withProfile(ctx, input, async ({ profile }) => profile);
  const verification =
    running.get(id) ??
    verifyLog(ctx, id, (read) => ctx.shares.heavy(ownerId, read)).finally(() => running.delete(id));
  running.set(id, verification);
  const found = await verification;
  // A log that was erased in between looks like one that was broken.
  await demandOwner(ctx, id);
  return found;
}
