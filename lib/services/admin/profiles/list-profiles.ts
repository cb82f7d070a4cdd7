import type { ProfileState, ProfileType } from "@/lib/engine/prisma-client/enums";
import type { Did } from "@/lib/protocol/did";
import { notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../../context";
import { refuseOthers } from "../administer";
import { likePattern } from "../users/list-users";

/** Counts and metadata: what a profile holds is its owner's alone. */
export interface ProfileLine {
  id: number;
  did: Did;
  profileType: ProfileType;
  version: string;
  state: ProfileState;
  createdAt: Date;
  owner: { id: string; email: string };
}

export interface ProfilePlace {
  createdAt: Date;
  id: number;
}

export interface ProfilesAsked {
  /** A part of a DID or of the owner's e-mail address. */
  search?: string;
  ownerId?: string;
  state?: ProfileState;
  after?: ProfilePlace;
  limit: number;
}

const columns = `p.id, p.did, p."profileType", p.version, p.state, p."createdAt",
  jsonb_build_object('id', u.id, 'email', u.email) AS owner`;

/** Newest first. */
export async function listProfiles(
  ctx: Ctx,
  { search, ownerId, state, after, limit }: ProfilesAsked,
): Promise<{ profiles: ProfileLine[]; next: ProfilePlace | null }> {
  refuseOthers(ctx);
  const { rows } = await ctx.pool.query<ProfileLine>(
    `SELECT ${columns} FROM "Profile" p JOIN "User" u ON u.id = p."ownerId"
     WHERE ($1::text IS NULL OR p.did ILIKE $1 OR u.email ILIKE $1)
       AND ($2::text IS NULL OR p."ownerId" = $2) AND ($3::"ProfileState" IS NULL OR p.state = $3)
       AND ($4::timestamptz IS NULL OR (p."createdAt", p.id) < ($4, $5))
     ORDER BY p."createdAt" DESC, p.id DESC LIMIT $6`,
    [likePattern(search), ownerId, state, after?.createdAt, after?.id, limit + 1],
  );
  const profiles = rows.slice(0, limit);
  const last = rows.length > limit ? profiles.at(-1) : undefined;
  const next = last === undefined ? null : { createdAt: last.createdAt, id: last.id };
  return { profiles, next };
}

export interface ProfileCounts {
  memories: number;
  pendingProposals: number;
  policies: number;
  activeTokens: number;
  lastEventAt: Date | null;
}

/** A transfer that waits for its owners. */
export interface WaitingTransfer {
  /** The e-mail address of the new owner. */
  email: string;
  effectiveAt: Date;
  acceptedByOwner: boolean;
  acceptedByNew: boolean;
}

export interface ProfileFound {
  profile: ProfileLine;
  counts: ProfileCounts;
  transfer: WaitingTransfer | null;
}

export async function findProfile(ctx: Ctx, did: string): Promise<ProfileFound> {
  refuseOthers(ctx);
  const { rows } = await ctx.pool.query<ProfileLine>(
    `SELECT ${columns} FROM "Profile" p JOIN "User" u ON u.id = p."ownerId" WHERE p.did = $1`,
    [did],
  );
  const [profile] = rows;
  if (profile === undefined) throw notFound("profile");
  const { rows: counted } = await ctx.pool.query<ProfileCounts>(
    `SELECT
       (SELECT count(*)::int FROM "Memory"
        WHERE "profileId" = $1 AND "archivedAt" IS NULL AND "deletedAt" IS NULL) AS memories,
       (SELECT count(*)::int FROM "Proposal"
        WHERE "profileId" = $1 AND status = 'pending' AND "expiresAt" > $2) AS "pendingProposals",
       (SELECT count(*)::int FROM "Policy" WHERE "profileId" = $1 AND enabled) AS policies,
       (SELECT count(*)::int FROM "ConnectionToken"
        WHERE "profileId" = $1 AND "revokedAt" IS NULL AND "expiresAt" > $2) AS "activeTokens",
       (SELECT at FROM "AccessEvent" WHERE "profileId" = $1
        ORDER BY at DESC LIMIT 1) AS "lastEventAt"`,
    [profile.id, ctx.now],
  );
  const none = {
    memories: 0,
    pendingProposals: 0,
    policies: 0,
    activeTokens: 0,
    lastEventAt: null,
  };
  return {
    profile,
    counts: counted[0] ?? none,
    transfer: await findTransferOf(ctx, profile.id),
  };
}

async function findTransferOf({ pool }: Ctx, profileId: number): Promise<WaitingTransfer | null> {
  const { rows } = await pool.query<WaitingTransfer>(
    `SELECT u.email, t."effectiveAt", t."acceptedByOwnerAt" IS NOT NULL AS "acceptedByOwner",
       t."acceptedByNewAt" IS NOT NULL AS "acceptedByNew"
     FROM "Transfer" t JOIN "User" u ON u.id = t."toUserId" WHERE t."profileId" = $1`,
    [profileId],
  );
  return rows[0] ?? null;
}
