import { type Verification, verifyLog } from "../audit/verify-log";
import type { Ctx } from "../context";
import { onProfile } from "../open-profile";

const running = new Map<number, Promise<Verification>>();

/** The owner's own look at the chain; who asks again while one runs gets its result. */
export async function verifyActivity(ctx: Ctx, did: string): Promise<Verification> {
  return onProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const begun = running.get(profile.id);
    if (begun !== undefined) return begun;
    const verification = verifyLog(ctx.pool, profile.id).finally(() => running.delete(profile.id));
    running.set(profile.id, verification);
    return verification;
  });
}
