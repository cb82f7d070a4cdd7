import { Prisma } from "@/lib/engine/prisma-client/client";
import type { ProfileState, ProfileType } from "@/lib/engine/prisma-client/enums";
import type { Did } from "@/lib/protocol/did";
import { notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../../context";
import { isWaiting } from "../../proposals/pending";
import { refuseOthers } from "../administer";
import { likePattern } from "../users/list-users";

/** Counts and metadata: contents belong to the owner alone. */
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

export interface ProfilesQuery {
  /** A part of a DID or of the owner's e-mail address. */
  search?: string;
  ownerId?: string;
  state?: ProfileState;
  after?: ProfilePlace;
  limit: number;
}

const columns = Prisma.sql`p.id, p.did, p."profileType", p.version, p.state, p."createdAt",
  jsonb_build_object('id', u.id, 'email', u.email) AS owner`;

/** Newest first. */
export async function listProfiles(
  ctx: Ctx,
  { search, ownerId, state, after, limit }: ProfilesQuery,
): Promise<{ profiles: ProfileLine[]; next: ProfilePlace | null }> {
  refuseOthers(ctx);
  const rows = await ctx.db.$queryRaw<
    ProfileLine[]
  >`SELECT ${columns} FROM "Profile" p JOIN "User" u ON u.id = p."ownerId"
     WHERE (${likePattern(search)}::text IS NULL OR p.did ILIKE ${likePattern(search)} OR u.email ILIKE ${likePattern(search)})
       AND (${ownerId ?? null}::text IS NULL OR p."ownerId" = ${ownerId ?? null}) AND (${state ?? null}::"ProfileState" IS NULL OR p.state = ${state ?? null})
       AND (${after?.createdAt ?? null}::timestamptz IS NULL OR (p."createdAt", p.id) < (${after?.createdAt ?? null}, ${after?.id ?? null}))
     ORDER BY p."createdAt" DESC, p.id DESC LIMIT ${limit + 1}`;
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
  const rows = await ctx.db.$queryRaw<
    ProfileLine[]
  >`SELECT ${columns} FROM "Profile" p JOIN "User" u ON u.id = p."ownerId" WHERE p.did = ${did}`;
  const [profile] = rows;
  if (profile === undefined) throw notFound("profile");
  const counted = await ctx.db.$queryRaw<ProfileCounts[]>`SELECT
       (SELECT count(*)::int FROM "Memory"
        WHERE "profileId" = ${profile.id} AND "archivedAt" IS NULL AND "deletedAt" IS NULL) AS memories,
       (SELECT count(*)::int FROM "Proposal"
        WHERE "profileId" = ${profile.id} AND ${isWaiting(ctx.now)}) AS "pendingProposals",
       (SELECT count(*)::int FROM "Policy" WHERE "profileId" = ${profile.id} AND enabled) AS policies,
       (SELECT count(*)::int FROM "ConnectionToken"
        WHERE "profileId" = ${profile.id} AND "revokedAt" IS NULL AND "expiresAt" > ${ctx.now}) AS "activeTokens",
       (SELECT at FROM "AccessEvent" WHERE "profileId" = ${profile.id}
        ORDER BY at DESC LIMIT 1) AS "lastEventAt"`;
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

async function findTransferOf({ db }: Ctx, profileId: number): Promise<WaitingTransfer | null> {
  const rows = await db.$queryRaw<
    WaitingTransfer[]
  >`SELECT u.email, t."effectiveAt", t."acceptedByOwnerAt" IS NOT NULL AS "acceptedByOwner",
       t."acceptedByNewAt" IS NOT NULL AS "acceptedByNew"
     FROM "Transfer" t JOIN "User" u ON u.id = t."toUserId" WHERE t."profileId" = ${profileId}`;
  return rows[0] ?? null;
}
