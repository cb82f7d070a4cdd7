import { hashDid } from "../accounts/new-profile";
import { recordAdmin } from "../audit/record";
import type { Ctx } from "../context";
import { changeProfile } from "../profile-gate";
import { enqueue } from "../webhooks/enqueue";
import { eraseProfile } from "./erase-profile";

/** Whatever is told of it must be told in the same transaction, and elsewhere: its own log goes too. */
export async function deleteProfile(ctx: Ctx, { did }: { did: string }): Promise<void> {
  const asking = { verb: "deleteProfile", did, lasting: true } as const;
  const profileId = await changeProfile(ctx, asking, async ({ tx, profile }) => {
    const events = await eraseProfile(tx, { profile, now: ctx.now });
    const event = { verb: "deleteProfile", subjectId: tombstoneOf(did) };
    await recordAdmin(tx, { ctx, event });
    await enqueue(tx, { now: ctx.now, events });
    return profile.id;
  });
  ctx.announce(profileId);
}

/** Returns the name of a deleted DID in the gateway's log. */
export function tombstoneOf(did: string): string {
  return `sha256:${Buffer.from(hashDid(did)).toString("hex")}`;
}
