import { notFound } from "@/lib/protocol/errors";
import { recordForOwner } from "../../audit/record-for-owner";
import type { Ctx } from "../../context";
import { tombstoneOf } from "../../erasure/delete-profile";
import { type Erased, eraseProfile } from "../../erasure/erase-profile";
import { enqueue } from "../../webhooks/enqueue";
import { administer } from "../administer";

/** Erases a profile as its owner would, and tells the owner's other profiles. */
export async function deleteProfileOf(ctx: Ctx, did: string): Promise<void> {
  const profileId = await administer(ctx, {}, async ({ tx, record }) => {
    const rows = await tx.$queryRaw<
      (Erased & { ownerId: string })[]
    >`SELECT id, did, "ownerId" FROM "Profile" WHERE did = ${did} FOR UPDATE`;
    const [profile] = rows;
    if (profile === undefined) throw notFound("profile");
    const { id, ownerId } = profile;
    const events = await eraseProfile(tx, { profile, now: ctx.now });
    await record({ verb: "deleteProfile", subjectId: tombstoneOf(did), before: { ownerId } });
    const event = { verb: "deleteOtherProfile" };
    await recordForOwner(tx, { ctx, userId: ownerId, event });
    await enqueue(tx, { now: ctx.now, events });
    return id;
  });
  ctx.announce(profileId);
}
