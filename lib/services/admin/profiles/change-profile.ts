import type { PoolClient } from "pg";
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

/** The protocol answers PROF002 until it is resumed; what it holds stays as it is. */
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
  const profileId = await administer(ctx, {}, async ({ client, record: recordAdmin }) => {
    const profile = await lockByDid(client, did);
    const { id, profileType, version, state } = profile;
    const before = { profileType, version, state };
    const after = { ...before, ...to };
    await client.query(
      `UPDATE "Profile" SET "profileType" = $2, version = $3, state = $4, "updatedAt" = $5
       WHERE id = $1`,
      [id, after.profileType, after.version, after.state, ctx.now],
    );
    const names = Object.keys(to);
    const changed = (all: Metadata) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
    await recordAdmin({
      verb,
      subjectId: profileSubject(id),
      before: changed(before),
      after: changed(after),
    });
    await record(client, { ctx, profile: { ...profile, ...after }, event: { verb, detail: to } });
    return id;
  });
  ctx.announce(profileId);
}

type Locked = Metadata & { id: number; did: Did; ownerId: string };

/** Locks a profile in a transaction that has locked every account it needs. */
export async function lockByDid(client: PoolClient, did: string): Promise<Locked> {
  const { rows } = await client.query<Locked>(
    `SELECT id, did, "profileType", version, state, "ownerId" FROM "Profile"
     WHERE did = $1 FOR NO KEY UPDATE`,
    [did],
  );
  const [profile] = rows;
  if (profile === undefined) throw notFound("profile");
  return profile;
}
