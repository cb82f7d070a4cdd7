import { createHash, generateKeyPairSync } from "node:crypto";
import type { Engine } from "@/lib/engine/engine";
import type { Prisma } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";
import { agentDid, type Did, userDid } from "@/lib/protocol/did";
import { likeTextOf } from "@/lib/rules/likeness/like-text";
import type { PersonCaller } from "@/lib/rules/may";
import { createSecretToken } from "@/lib/services/accounts/secret-token";
import { readFlags } from "@/lib/services/claims/read-flags";
import { readMemory } from "@/lib/services/claims/read-memory";
import { type Ctx, contextOf } from "@/lib/services/context";
import { mintConnectionToken } from "@/lib/services/tokens/connection-token";
import { clientOf, tokenClient } from "./harness";

// Each test mints its own owner and agents, so that no two tests share a row.

export interface KeyPair {
  privateKey: JsonWebKey;
  publicKey: Uint8Array<ArrayBuffer>;
}

export function mintKeyPair(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  return {
    privateKey: privateKey.export({ format: "jwk" }),
    publicKey: new Uint8Array(Buffer.from(x, "base64url")),
  };
}

export interface Minted extends KeyPair {
  did: Did;
  client: ReturnType<typeof clientOf>;
}

export interface Owner extends Minted {
  userId: string;
  /** Of the browser that `signedIn` acts in. */
  sessionId: string;
  profileId: number;
}

const dayMs = 24 * 60 * 60_000;

/** For a row that is as old as its last change. */
export function madeNow(engine: Pick<Engine, "now">) {
  return { createdAt: engine.now(), updatedAt: engine.now() };
}

/** An account of a month ago with one profile and a key to sign with; no policies unless given. */
export async function mintOwner(
  engine: Engine,
  { policies = [], common }: { policies?: PolicyGiven[]; common?: Prisma.InputJsonValue } = {},
): Promise<Owner> {
  const userId = newId("usr");
  const did = userDid("local", newId("alice"));
  const createdAt = new Date(engine.now().getTime() - 30 * dayMs);
  await engine.db.user.create({
    data: { id: userId, email: `${userId}@alice.test`.toLowerCase(), createdAt },
  });
  const profile = await engine.db.profile.create({
    data: { did, ownerId: userId, common, ...madeNow(engine) },
  });
  for (const policy of policies) await givePolicy(engine, profile.id, policy);
  const keys = await giveKey(engine, did);
  const client = clientOf(engine, { did, privateKey: keys.privateKey });
  const { id: sessionId } = await giveSession(engine, { userId });
  return { ...keys, userId, sessionId, did, profileId: profile.id, client };
}

export async function mintAgent(
  engine: Engine,
  given: Partial<Prisma.AgentCreateInput> = {},
): Promise<Minted> {
  const did = agentDid("local", newId("iris"));
  const agent = { did, name: "Iris", state: "active", origin: "admin" } as const;
  await engine.db.agent.create({ data: { ...agent, ...madeNow(engine), ...given } });
  const keys = await giveKey(engine, did);
  return { ...keys, did, client: clientOf(engine, { did, privateKey: keys.privateKey }) };
}

export async function giveKey(
  engine: Engine,
  did: Did,
  slot = 1,
  given: { addedBy?: string } = {},
): Promise<KeyPair> {
  const keys = mintKeyPair();
  const { publicKey } = keys;
  const key = { id: newId("key"), did, publicKey, slot, createdAt: engine.now() };
  await engine.db.key.create({ data: { ...key, ...given } });
  return keys;
}

export type PolicyGiven = Partial<Omit<Prisma.PolicyUncheckedCreateInput, "id" | "profileId">>;

/** Reading everything, for every agent, unless said otherwise. */
export async function givePolicy(engine: Engine, profileId: number, policy: PolicyGiven) {
  return engine.db.policy.create({
    data: {
      ...{ id: newId("pol"), profileId, agentPattern: "did:prof:agent:*:*", origin: "owner" },
      ...{ allow: ["prof:*"], permissions: ["read"] },
      ...madeNow(engine),
      ...policy,
    },
  });
}

export async function giveMemory(
  engine: Engine,
  profileId: number,
  memory: Partial<Prisma.MemoryUncheckedCreateInput> = {},
) {
  const content = memory.content ?? "Likes long walks.";
  return engine.db.memory.create({
    data: {
      ...{ id: newId("mem"), profileId, category: "prof:interests", content },
      ...(await readMemory(engine.db, profileId, content)),
      confidence: 0.9,
      source: "owner",
      ...madeNow(engine),
      ...memory,
    },
  });
}

export async function giveNamedValue(
  engine: Engine,
  profileId: number,
  named: { category: string; name: string; value: Prisma.InputJsonValue },
): Promise<void> {
  await engine.db.namedValue.create({ data: { updatedAt: engine.now(), profileId, ...named } });
}

export type ProposalGiven = Partial<Omit<Prisma.ProposalUncheckedCreateInput, "profileId">>;

/** Pending, proposed at this instant, unless said otherwise. */
export async function giveProposal(
  engine: Engine,
  { profileId, agentDid, ...given }: ProposalGiven & { profileId: number; agentDid: string },
) {
  const content = given.content ?? `Likes ${newId("tea")}.`;
  const now = engine.now();
  return engine.db.proposal.create({
    data: {
      ...{ id: newId("prop"), profileId, agentDid, content },
      ...(await readFlags(engine.db, profileId, { content, context: given.context })),
      likeText: likeTextOf(content),
      contentHash: new Uint8Array(createHash("sha256").update(content).digest()),
      category: "prof:interests",
      confidence: 0.7,
      proposedAt: now,
      expiresAt: new Date(now.getTime() + 7 * dayMs),
      ...given,
    },
  });
}

export type TokenGiven = Partial<
  Omit<Prisma.ConnectionTokenUncheckedCreateInput, "profileId" | "agentDid">
>;

/** For reading everything, for thirty days, unless said otherwise. */
export async function giveToken(
  engine: Engine,
  { owner, agent, ...given }: TokenGiven & { owner: Owner; agent: Minted },
) {
  const { token, tokenHash } = mintConnectionToken();
  const now = engine.now();
  const { id } = await engine.db.connectionToken.create({
    data: {
      id: newId("tok"),
      tokenHash,
      lastFour: token.slice(-4),
      profileId: owner.profileId,
      agentDid: agent.did,
      scopes: ["prof:*"],
      permissions: ["read"],
      createdAt: now,
      expiresAt: new Date(now.getTime() + 30 * dayMs),
      ...given,
    },
  });
  return { id, token, client: tokenClient(engine, token) };
}

export async function revokeKey(engine: Engine, { publicKey }: KeyPair): Promise<void> {
  await engine.db.key.updateMany({
    where: { publicKey },
    data: { slot: null, revokedAt: engine.now() },
  });
}

export type EventGiven = Partial<Omit<Prisma.AccessEventUncheckedCreateInput, "profileId">>;

/** The agent reading something at this instant, unless said otherwise. */
export async function giveEvent(
  engine: Engine,
  { profileId, actorId, ...given }: EventGiven & { profileId: number; actorId: string },
) {
  const event = { id: newId("evt"), profileId, at: engine.now(), actor: "agent", actorId } as const;
  const done = { verb: "getProfile", outcome: "ok", requestId: newId("req") };
  return engine.db.accessEvent.create({ data: { ...event, ...done, ...given } });
}

/** A browser that they are signed in with; wherever a test moves the clock, they are still there. */
export async function giveSession(
  engine: Engine,
  { userId, userAgent = "Test" }: { userId: string; userAgent?: string },
): Promise<{ id: string; token: string }> {
  const { token, tokenHash } = createSecretToken();
  const id = newId("ses");
  const now = engine.now();
  const later = new Date(now.getTime() + 3_650 * dayMs);
  const seen = { createdAt: now, lastSeenAt: later, confirmedAt: later, expiresAt: later };
  await engine.db.session.create({ data: { id, tokenHash, userId, userAgent, ...seen } });
  return { id, token };
}

export function eventsOf(engine: Engine, profileId: number) {
  return engine.db.accessEvent.findMany({ where: { profileId }, orderBy: { at: "asc" } });
}

/** The owner in the dashboard, signed in. */
export function signedIn(engine: Engine, owner: Pick<Owner, "userId" | "sessionId">): Ctx {
  const { userId, sessionId } = owner;
  return contextOf(engine, { kind: "person", userId, sessionId, role: "user" });
}

/** Somebody who has an account, in a browser of their own. */
export async function personOf(
  engine: Engine,
  { userId, role = "user" }: { userId: string; role?: PersonCaller["role"] },
): Promise<PersonCaller> {
  const { id: sessionId } = await giveSession(engine, { userId });
  return { kind: "person", userId, sessionId, role };
}

/** An account that runs the gateway, and the context in which it acts. */
export async function mintAdmin(engine: Engine): Promise<{ userId: string; ctx: Ctx }> {
  const userId = newId("usr");
  const account = {
    id: userId,
    email: `${userId}@root.test`.toLowerCase(),
    role: "admin" as const,
  };
  await engine.db.user.create({ data: { ...account, createdAt: engine.now() } });
  return { userId, ctx: contextOf(engine, await personOf(engine, { userId, role: "admin" })) };
}
