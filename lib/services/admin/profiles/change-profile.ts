import type { PoolClient } from "pg";
import type { ProfileState, ProfileType } from "@/lib/engine/prisma-client/enums";
import type { Did } from "@/lib/protocol/did";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import { profilesPerUserMax } from "../../accounts/new-profile";
import { profileSubject, record } from "../../audit/record";
import { recordForOwner } from "../../audit/record-for-owner";
import type { Ctx } from "../../context";
import { administer } from "../administer";

interface Metadata {
  profileType: ProfileType;
  version: string;
  state: ProfileState;
  ownerId: string;
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

/**
 * To another account, with all that it holds and everything that was granted on it. Its signing keys
 * end: they are in the hands of whoever owned it until now.
 */
export async function transferProfile(
  ctx: Ctx,
  { did, email }: { did: string; email: string },
): Promise<void> {
  const to = async (client: PoolClient) => ({ ownerId: await ownerWith(client, ctx, email) });
  const also: Change["also"] = async (client, { ownerId }) => {
    await client.query(
      `UPDATE "Key" SET slot = NULL, "revokedAt" = $2 WHERE did = $1 AND slot IS NOT NULL`,
      [did, ctx.now],
    );
    // Its log has a new reader, so the owner until now reads of it in what is left to them.
    const event = { verb: "transferOtherProfile" };
    await recordForOwner(client, { ctx, userId: ownerId, event });
  };
  await change(ctx, { verb: "transferProfile", did, to, also });
}

async function ownerWith(client: PoolClient, { caller }: Ctx, email: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT id FROM "User" WHERE email = $1 AND state = 'active' FOR NO KEY UPDATE`,
    [email],
  );
  const [owner] = rows;
  if (owner === undefined) {
    throw invalidRequest([{ path: "email", message: "Nobody here has this e-mail address." }]);
  }
  // Decisions 4: admins do not read contents, not this way either.
  if (caller.kind === "person" && caller.userId === owner.id) {
    const message = "This is you. Another admin has to hand you a profile.";
    throw invalidRequest([{ path: "email", message }]);
  }
  const { rows: owned } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Profile" WHERE "ownerId" = $1`,
    [owner.id],
  );
  if ((owned[0]?.count ?? 0) < profilesPerUserMax) return owner.id;
  const message = `They have ${profilesPerUserMax} profiles already; that is the most for one account.`;
  throw invalidRequest([{ path: "email", message }]);
}

interface Change {
  verb: string;
  did: string;
  to: Partial<Metadata> | ((client: PoolClient) => Promise<Partial<Metadata>>);
  /** What goes with it, told what was before. */
  also?: (client: PoolClient, before: Metadata) => Promise<void>;
}

async function change(ctx: Ctx, { verb, did, to: wanted, also }: Change): Promise<void> {
  const profileId = await administer(ctx, async ({ client, record: recordAdmin }) => {
    const to = typeof wanted === "function" ? await wanted(client) : wanted;
    const profile = await lock(client, did);
    const { id, profileType, version, state, ownerId } = profile;
    const before = { profileType, version, state, ownerId };
    const after = { ...before, ...to };
    await client.query(
      `UPDATE "Profile" SET "profileType" = $2, version = $3, state = $4, "ownerId" = $5,
         "updatedAt" = $6 WHERE id = $1`,
      [id, after.profileType, after.version, after.state, after.ownerId, ctx.now],
    );
    await also?.(client, before);
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

async function lock(client: PoolClient, did: string): Promise<Metadata & { id: number; did: Did }> {
  const { rows } = await client.query<Metadata & { id: number; did: Did }>(
    `SELECT id, did, "profileType", version, state, "ownerId" FROM "Profile"
     WHERE did = $1 FOR UPDATE`,
    [did],
  );
  const [profile] = rows;
  if (profile === undefined) throw notFound("profile");
  return profile;
}
