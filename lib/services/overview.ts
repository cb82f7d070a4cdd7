import type { PolicyOrigin } from "@/lib/engine/prisma-client/enums";
import { Did } from "@/lib/protocol/did";
import { forbidden, notFound } from "@/lib/protocol/errors";
import { may } from "@/lib/rules/may";
import type { Ctx } from "./context";

export interface Overview {
  did: string;
  displayName: string;
  pendingProposals: number;
  memories: number;
  memoriesThisWeek: number;
  agentsWithPolicies: number;
  pendingConsents: number;
  policies: PolicyLine[];
}

export interface PolicyLine {
  id: string;
  agentPattern: string;
  verifiedOnly: boolean;
  allow: readonly string[];
  deny: readonly string[];
  permissions: readonly ("read" | "propose")[];
  purposes: readonly string[];
  maxRetention: string | null;
  expiresAt: Date | null;
  origin: PolicyOrigin;
}

const policiesMax = 20;
const weekMs = 7 * 24 * 60 * 60_000;

/** What waits and what stands for one profile of the caller's. */
export async function getOverview(ctx: Ctx, profileId: number): Promise<Overview> {
  const profile = await ownProfile(ctx, profileId);
  const { db, now } = ctx;
  const live = { profileId, archivedAt: null, deletedAt: null };
  const inForce = {
    profileId,
    enabled: true,
    OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
  };
  const [pendingProposals, memories, memoriesThisWeek, pendingConsents, named, policies] =
    await Promise.all([
      db.proposal.count({ where: { profileId, status: "pending", expiresAt: { gt: now } } }),
      db.memory.count({ where: live }),
      db.memory.count({
        where: { ...live, createdAt: { gt: new Date(now.getTime() - weekMs) } },
      }),
      db.consentRequest.count({ where: { profileId, status: "pending" } }),
      db.policy.groupBy({
        by: "agentPattern",
        where: { ...inForce, NOT: { agentPattern: { contains: "*" } } },
      }),
      db.policy.findMany({ where: inForce, orderBy: { createdAt: "asc" }, take: policiesMax }),
    ]);
  return {
    did: profile.did,
    displayName: displayNameOf(profile.common) ?? profile.did,
    pendingProposals,
    memories,
    memoriesThisWeek,
    agentsWithPolicies: named.length,
    pendingConsents,
    policies,
  };
}

export interface Waiting {
  proposals: number;
  requests: number;
}

/** How much waits for an answer of the owner's. */
export async function countWaiting(ctx: Ctx, profileId: number): Promise<Waiting> {
  await ownProfile(ctx, profileId);
  const { db, now } = ctx;
  const [proposals, requests] = await Promise.all([
    db.proposal.count({ where: { profileId, status: "pending", expiresAt: { gt: now } } }),
    db.consentRequest.count({ where: { profileId, status: "pending" } }),
  ]);
  return { proposals, requests };
}

async function ownProfile({ db, caller }: Ctx, profileId: number) {
  const profile = await db.profile.findUnique({ where: { id: profileId } });
  if (profile === null) throw notFound("profile");
  const { ownerId, state } = profile;
  const permit = may({
    caller,
    verb: "readActivity",
    profile: { did: Did.parse(profile.did), ownerId, state },
  });
  if (!permit.allowed) throw forbidden(permit.message);
  return profile;
}

function displayNameOf(common: unknown): string | null {
  const identity = memberOf(common, "identity");
  const name = memberOf(identity, "displayName");
  return typeof name === "string" && name.trim() !== "" ? name : null;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
