import type { Tx } from "@/lib/engine/db";
import type { ProfileState, ProfileType } from "@/lib/engine/prisma-client/enums";
import type { Did } from "@/lib/protocol/did";
import { notFound } from "@/lib/protocol/errors";
import { profileSubject, record } from "../../audit/record";
import type { Ctx } from "../../context";
import { administer } from "../administer";

interface Metadata {
  profileType: ProfileType;
  version: string;
  state: ProfileState;
}

/** The protocol answers PROF002 until it is resumed; the contents stay. */
export function suspendProfile(ctx: Ctx, did: string): Promise<void> {
  return change(ctx, { verb: "suspendProfile", did, to: { state: "suspended" } });
}

export function resumeProfile(ctx: Ctx, did: string): Promise<void> {
  return change(ctx, { verb: "resumeProfile", did, to: { state: "active" } });
}

export function setProfileFormat(
  ctx: Ctx,
  { did, ...to }: { did: string; profileType: ProfileType; version: string },
): Promise<void> {
  return change(ctx, { verb: "setProfileFormat", did, to });
}

interface Change {
  verb: string;
  did: string;
  to: Partial<Metadata>;
}

async function change(ctx: Ctx, { verb, did, to }: Change): Promise<void> {
  const profileId = await administer(ctx, {}, async ({ tx, record: recordAdmin }) => {
    const profile = await lockByDid(tx, did);
    const { id, profileType, version, state } = profile;
    const before = { profileType, version, state };
    const after = { ...before, ...to };
    const data = { ...after, updatedAt: ctx.now };
    await tx.profile.update({ where: { id }, data, select: { id: true } });
    const names = Object.keys(to);
    const changed = (all: Metadata) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
    await recordAdmin({
      verb,
      subjectId: profileSubject(id),
      before: changed(before),
      after: changed(after),
    });
    await record(tx, { ctx, profile: { ...profile, ...after }, event: { verb, detail: to } });
    return id;
  });
  ctx.announce(profileId);
}

type Locked = Metadata & { id: number; did: Did; ownerId: string };

/** Locks a profile in a transaction that has locked every account it needs. */
export async function lockByDid(tx: Tx, did: string): Promise<Locked> {
  const rows = await tx.$queryRaw<
    Locked[]
  >`SELECT id, did, "profileType", version, state, "ownerId" FROM "Profile"
     WHERE did = ${did} FOR NO KEY UPDATE`;
  const [profile] = rows;
  if (profile === undefined) throw notFound("profile");
  return profile;
}
