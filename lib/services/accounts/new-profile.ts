import { createHash } from "node:crypto";
import type { Tx } from "@/lib/engine/db";
import type { Role } from "@/lib/engine/prisma-client/enums";
import { newId } from "@/lib/engine/random";
import { type Did, userDid } from "@/lib/protocol/did";
import { forbidden, invalidRequest } from "@/lib/protocol/errors";
import {
  defaultTemplate,
  type PolicyDraft,
  type TemplateName,
  templates,
} from "@/lib/rules/templates";
import { record } from "../audit/record";
import { withAuthority } from "../authority";
import type { Ctx } from "../context";

export const profilesPerUserMax = 20;

export interface NewProfile {
  namespace: string;
  handle: string;
  name: string;
  template?: TemplateName;
}

/** Another profile of the caller. */
export async function addProfile(ctx: Ctx, profile: NewProfile): Promise<Did> {
  const { caller } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId, role } = caller;
  return refusingTaken(() =>
    withAuthority(ctx, { users: [userId] }, (tx) =>
      addProfileTo(tx, ctx, { ...profile, userId, role }),
    ),
  );
}

/** Part of a transaction: adds a profile to an account, within its limit. */
export async function addProfileTo(tx: Tx, ctx: Ctx, profile: NewProfile & Owner): Promise<Did> {
  const { userId } = profile;
  // The lock keeps two that are made at once from both being the last that fits.
  await tx.$queryRaw`SELECT FROM "User" WHERE id = ${userId} FOR NO KEY UPDATE`;
  const owned = await tx.profile.count({ where: { ownerId: userId } });
  if (owned >= profilesPerUserMax) {
    const message = `An account has at most ${profilesPerUserMax} profiles. Delete one first.`;
    throw invalidRequest([{ path: "handle", message }]);
  }
  return createProfile(tx, ctx, profile);
}

/** Part of a transaction: creates a profile with initial policies, under a DID that was never used. */
export async function createProfile(
  tx: Tx,
  input: Ctx,
  { userId, role, template = defaultTemplate, ...profile }: NewProfile & Owner,
): Promise<Did> {
  const { now } = input;
  const did = userDid(profile.namespace, profile.handle);
  const created = await tx.profile.create({
    data: {
      did,
      ownerId: userId,
      common: { identity: { displayName: profile.name }, preferences: {} },
      createdAt: now,
      updatedAt: now,
      policies: { create: templates[template].policies.map((draft) => policyRow(draft, now)) },
    },
  });
  // Read after the insert, which waits for a deletion under way.
  const retired = await tx.retiredDid.findUnique({ where: { didHash: hashDid(did) } });
  if (retired !== null) throw taken();
  // A person who signs up has no account yet.
  const owner = { kind: "person", userId, role, sessionId: null } as const;
  const ctx = { ...input, caller: input.caller.kind === "person" ? input.caller : owner };
  const subject = { id: created.id, did, ownerId: userId, state: created.state };
  await record(tx, { ctx, profile: subject, event: { verb: "createProfile" } });
  return did;
}

interface Owner {
  userId: string;
  role: Role;
}

function policyRow({ allow, deny, permissions, purposes, ...rest }: PolicyDraft, now: Date) {
  return {
    id: newId("pol"),
    allow: [...allow],
    deny: [...deny],
    permissions: [...permissions],
    purposes: [...purposes],
    createdAt: now,
    updatedAt: now,
    ...rest,
  };
}

/** The database decides who was first; the others get an error. */
export async function refusingTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error)) throw taken();
    throw error;
  }
}

// One message for both cases: telling them apart would reveal who has an account.
function taken() {
  const message =
    "This e-mail address or this handle is already in use. Sign in, or choose another.";
  return invalidRequest([{ path: "handle", message }]);
}

/** Returns the hash that is kept of a deleted DID, so that it cannot be registered again. */
export function hashDid(did: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(did).digest());
}

export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "P2002";
}
