import { inTransaction, lockMsMax, retryingDeadlock, type Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { jsonOf } from "@/lib/engine/query-batcher";
import type { Did } from "@/lib/protocol/did";
import { confirmFirst, signInFirst, unauthorized } from "@/lib/protocol/errors";
import type { Reason } from "@/lib/rules/decide";
import type { Caller, PersonCaller } from "@/lib/rules/may";
import { adminsLock } from "./accounts/admins";
import { idleSince } from "./accounts/session-life";
import type { Ctx } from "./context";
import { credentialOf, type ProfileRow } from "./facts";

// Authority is read where it is used: in the transaction that writes, behind locks that keep it from
// changing until the end. Lock order, everywhere: who is an admin; users, sessions and agents, each by
// id; profiles by id; everything else.

/** What a change demands of its caller, and which of these rows it writes. */
export interface Demands {
  /** It may change who is an admin: such changes happen one after the other. */
  admins?: boolean;
  /** Accounts that it writes. */
  users?: readonly string[];
  /** Agents that it writes. */
  agents?: readonly Did[];
  /** The account behind a user's key: the key is as good as that account. */
  keyOwner?: string;
  /** Accounts and agents whose state it depends on. */
  readsUsers?: readonly string[];
  readsAgents?: readonly Did[];
  /** Its effect lasts: the person must have given their password, or signed in, in the last ten minutes. */
  lasting?: boolean;
}

/**
 * Runs a change in one transaction. Its caller is who they are, in the database, until the commit.
 * A change that meets another in a deadlock is tried once more. `prepare` runs before the locks are taken:
 * what takes longer than others can wait for them.
 */
export async function withAuthority<T>(
  ctx: Ctx,
  demands: Demands,
  work: (tx: Tx, caller: Caller) => Promise<T>,
  prepare?: (tx: Tx) => Promise<void>,
): Promise<T> {
  return inLine(ctx, demands, () =>
    inTransaction(ctx.db, async (tx) => {
      await prepare?.(tx);
      return work(tx, await holdCaller(tx, ctx, demands));
    }),
  );
}

// Waiting for a lock holds a connection. So changes of one account, and changes of admins, wait for each other
// before they take one.
function inLine<T>(ctx: Ctx, demands: Demands, transaction: () => Promise<T>): Promise<T> {
  const { caller, shares } = ctx;
  const change = () => retryingDeadlock(transaction);
  const next = demands.admins ? () => shares.single(change) : change;
  const own = accountOf(caller, demands);
  return own === undefined ? next() : shares.run(own, next);
}

/** For so long after it was confirmed, a session may make changes that last. */
export const confirmedMs = 10 * 60_000;

/** Locks what the caller's authority rests on, apart from the profile. Throws if there is none any more. */
async function holdCaller(tx: Tx, ctx: Ctx, demands: Demands): Promise<Caller> {
  if (demands.admins) await tx.$executeRaw`SELECT pg_advisory_xact_lock(${adminsLock})`;
  const { caller } = ctx;
  const role = await holdUsers(tx, caller, demands);
  if (caller.kind === "person" && role === null) throw signInFirst();
  if (caller.kind === "user" && role === null) throw unauthorized();
  await holdSession(tx, ctx, demands.lasting ?? false);
  await holdAgents(tx, caller, demands);
  return caller.kind === "person" && role !== null ? { ...caller, role } : caller;
}

interface StoredUser {
  role: PersonCaller["role"];
  state: "active" | "suspended";
}

/** Returns the role of the caller's own account; null if there is none, or it is not active. */
async function holdUsers(
  tx: Tx,
  caller: Caller,
  demands: Demands,
): Promise<PersonCaller["role"] | null> {
  const { users = [], readsUsers = [] } = demands;
  const own = accountOf(caller, demands);
  const all = [...users, ...readsUsers, ...(own === undefined ? [] : [own])];
  // A person's own changes come one after the other. Shared, they would let each other pass, and an admin who suspends
  // the account, or signs it out, would wait for as long as there are more. Signing in waits for neither.
  const lockOf = (id: string) => {
    if (users.includes(id)) {
      return Prisma.sql`SELECT role, state FROM "User" WHERE id = ${id} FOR UPDATE`;
    }
    return caller.kind === "person" && id === own
      ? Prisma.sql`SELECT role, state FROM "User" WHERE id = ${id} FOR NO KEY UPDATE`
      : Prisma.sql`SELECT role, state FROM "User" WHERE id = ${id} FOR SHARE`;
  };
  let role: PersonCaller["role"] | null = null;
  for (const id of [...new Set(all)].sort()) {
    const [user] = await tx.$queryRaw<StoredUser[]>(lockOf(id));
    if (id === own && user?.state === "active") role = user.role;
  }
  return role;
}

function accountOf(caller: Caller, { keyOwner }: Demands): string | undefined {
  return caller.kind === "person" ? caller.userId : keyOwner;
}

async function holdSession(tx: Tx, { now, caller }: Ctx, lasting: boolean): Promise<void> {
  if (caller.kind !== "person") return;
  const { userId, sessionId } = caller;
  const [session] = await tx.$queryRaw<{ confirmedAt: Date }[]>`SELECT "confirmedAt" FROM "Session"
      WHERE id = ${sessionId} AND "userId" = ${userId} AND "expiresAt" > ${now}
        AND "lastSeenAt" > ${idleSince(now)} FOR SHARE`;
  if (session === undefined) throw signInFirst();
  if (lasting && session.confirmedAt.getTime() + confirmedMs <= now.getTime()) throw confirmFirst();
}

/** For what turns out to last only once it was looked at, and for reading that leaves with a file. */
export function demandConfirmed(tx: Tx, ctx: Ctx): Promise<void> {
  return holdSession(tx, ctx, true);
}

async function holdAgents(
  tx: Tx,
  caller: Caller,
  { agents = [], readsAgents = [] }: Demands,
): Promise<void> {
  const own = caller.kind === "agent" || caller.kind === "token" ? [caller.did] : [];
  for (const did of [...new Set([...agents, ...readsAgents, ...own])].sort()) {
    const [agent] = agents.includes(did)
      ? await tx.$queryRaw<
          { state: string }[]
        >`SELECT state FROM "Agent" WHERE did = ${did} FOR NO KEY UPDATE`
      : await tx.$queryRaw<
          { state: string }[]
        >`SELECT state FROM "Agent" WHERE did = ${did} FOR SHARE`;
    if (own.includes(did) && agent?.state !== "active") throw unauthorized();
  }
  if (caller.kind === "agent") await demandKey(tx, caller);
}

/** The facts behind an agent's write have changed: decide again. */
export class AuthorityChanged extends Error {
  override readonly name = "AuthorityChanged";
}

/** Returns what `hold_authority` compares under its locks: the caller, and the facts of the decision. */
export function claimOf(
  { caller, now }: Ctx,
  { id: profileId, authority }: Pick<ProfileRow, "id" | "authority">,
  reasons: readonly Reason[],
) {
  const { did: agentDid, key, token } = credentialOf(caller);
  const receipts = reasons.flatMap(({ receiptId }) => receiptId ?? []);
  return { profileId, agentDid, key, token, now, authority, receipts };
}
export type Claim = ReturnType<typeof claimOf>;

async function holdClaim(tx: Tx, claim: Claim): Promise<void> {
  const rowCount =
    await tx.$executeRaw`SELECT place FROM hold_authority(${jsonOf([claim])}::json, ${`${lockMsMax}ms`})`;
  if (rowCount === 0) throw new AuthorityChanged();
}

/** Runs a change that an agent asked for, if what it was let in by still applies. */
export function changeByClaim<T>(
  ctx: Ctx,
  { ownerId, claim }: { ownerId: string; claim: Claim },
  change: (tx: Tx) => Promise<T>,
): Promise<T> {
  const inOne = async (tx: Tx) => {
    await holdClaim(tx, claim);
    return change(tx);
  };
  return ctx.shares.run(ownerId, () => retryingDeadlock(() => inTransaction(ctx.db, inOne)));
}

/** Behind the lock of the key's agent, or profile: a key that was revoked signs nothing more. */
export async function demandKey(
  tx: Tx,
  { did, publicKey }: { did: Did; publicKey: Uint8Array },
): Promise<void> {
  const key = { did, publicKey: Buffer.from(publicKey), slot: { not: null } };
  if ((await tx.key.count({ where: key })) === 0) throw unauthorized();
}
