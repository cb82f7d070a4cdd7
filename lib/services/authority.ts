import type { PoolClient } from "pg";
import { inTransaction, isDeadlock } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";
import { confirmFirst, signInFirst, unauthorized } from "@/lib/protocol/errors";
import type { Caller, PersonCaller } from "@/lib/rules/may";
import { adminsLock } from "./accounts/admins";
import { idleSince } from "./accounts/session-life";
import type { Ctx, Tx } from "./context";

// Authority is read where it is used: in the transaction that writes, behind locks that keep it from
// changing until the end. Lock order, everywhere: who is an admin; users, sessions and agents, each by
// id; profiles by id; everything else.

/** What a change demands of its caller, and which of these rows it writes itself. */
export interface Demands {
  /** It may change who is an admin: such changes happen one after the other. */
  admins?: boolean;
  /** Accounts that it writes. */
  users?: readonly string[];
  /** Agents that it writes. */
  agents?: readonly Did[];
  /** Accounts whose state it depends on. */
  readsUsers?: readonly string[];
  /** Its effect lasts: the person must have given their password, or signed in, in the last ten minutes. */
  lasting?: boolean;
}

/** Runs one statement of the transaction, whichever client holds it. */
export type Run = <Row>(statement: Prisma.Sql) => Promise<Row[]>;

/**
 * Runs a change in one transaction. Its caller is who they are, in the database, until the commit.
 * A change that meets another in a deadlock is tried once more.
 */
export async function withAuthority<T>(
  ctx: Ctx,
  demands: Demands,
  work: (client: PoolClient, caller: Caller) => Promise<T>,
): Promise<T> {
  const change = () =>
    inTransaction(ctx.pool, async (client) => {
      await client.query(`SET LOCAL lock_timeout = '${lockMsMax}ms'`);
      return work(client, await holdCaller(runOn(client), ctx, demands));
    });
  return change().catch((error: unknown) => {
    if (isDeadlock(error)) return change();
    throw error;
  });
}

/** The same for a change that is written with Prisma. */
export async function withAuthorityTx<T>(
  ctx: Ctx,
  demands: Demands,
  work: (tx: Tx, caller: Caller) => Promise<T>,
): Promise<T> {
  const change = () =>
    ctx.db.$transaction(async (tx) => {
      const run: Run = (statement) => tx.$queryRaw(statement);
      return work(tx, await holdCaller(run, ctx, demands));
    });
  return change().catch((error: unknown) => {
    if (isDeadlock(error)) return change();
    throw error;
  });
}

export function runOn(client: PoolClient): Run {
  return async <Row>({ text, values }: Prisma.Sql) =>
    // The rows are what the statement selects; pg knows no more of them than Prisma does.
    (await client.query({ text, values })).rows as Row[];
}

// A row that is held for long must not hold up a person, or a connection.
const lockMsMax = 2_000;
/** For so long after it was confirmed, a session may make changes that last. */
export const confirmedMs = 10 * 60_000;

/** Locks what the caller's authority rests on, apart from the profile. Throws if there is none any more. */
async function holdCaller(run: Run, ctx: Ctx, demands: Demands): Promise<Caller> {
  if (demands.admins) await run(Prisma.sql`SELECT pg_advisory_xact_lock(${adminsLock})::text`);
  const { caller } = ctx;
  const role = await holdUsers(run, caller, demands);
  if (caller.kind === "person") {
    if (role === null) throw signInFirst();
    await holdSession(run, { ...ctx, caller, lasting: demands.lasting ?? false });
  }
  await holdAgents(run, caller, demands.agents ?? []);
  return caller.kind === "person" && role !== null ? { ...caller, role } : caller;
}

interface StoredUser {
  role: PersonCaller["role"];
  state: "active" | "suspended";
}

/** Returns the caller's role; null if the caller is no person with an active account. */
async function holdUsers(
  run: Run,
  caller: Caller,
  { users = [], readsUsers = [] }: Demands,
): Promise<PersonCaller["role"] | null> {
  const own = caller.kind === "person" ? [caller.userId] : [];
  let role: PersonCaller["role"] | null = null;
  for (const id of [...new Set([...users, ...readsUsers, ...own])].sort()) {
    const [user] = users.includes(id)
      ? await run<StoredUser>(
          Prisma.sql`SELECT role, state FROM "User" WHERE id = ${id} FOR NO KEY UPDATE`,
        )
      : await run<StoredUser>(
          Prisma.sql`SELECT role, state FROM "User" WHERE id = ${id} FOR SHARE`,
        );
    if (own.includes(id) && user?.state === "active") role = user.role;
  }
  return role;
}

type Holding = Pick<Ctx, "now"> & { caller: PersonCaller; lasting: boolean };

async function holdSession(run: Run, { now, caller, lasting }: Holding): Promise<void> {
  const { userId, sessionId } = caller;
  const [session] = await run<{ confirmedAt: Date }>(
    Prisma.sql`SELECT "confirmedAt" FROM "Session"
      WHERE id = ${sessionId} AND "userId" = ${userId} AND "expiresAt" > ${now}
        AND "lastSeenAt" > ${idleSince(now)} FOR SHARE`,
  );
  if (session === undefined) throw signInFirst();
  if (lasting && session.confirmedAt.getTime() + confirmedMs <= now.getTime()) throw confirmFirst();
}

async function holdAgents(run: Run, caller: Caller, written: readonly Did[]): Promise<void> {
  const own = caller.kind === "agent" || caller.kind === "token" ? [caller.did] : [];
  for (const did of [...new Set([...written, ...own])].sort()) {
    const [agent] = written.includes(did)
      ? await run<{ state: string }>(
          Prisma.sql`SELECT state FROM "Agent" WHERE did = ${did} FOR NO KEY UPDATE`,
        )
      : await run<{ state: string }>(
          Prisma.sql`SELECT state FROM "Agent" WHERE did = ${did} FOR SHARE`,
        );
    if (own.includes(did) && agent?.state !== "active") throw unauthorized();
  }
  if (caller.kind === "agent") await demandKey(run, caller);
}

/** Behind the lock of the key's agent, or profile: a key that was revoked signs nothing more. */
export async function demandKey(
  run: Run,
  { did, publicKey }: { did: Did; publicKey: Uint8Array },
): Promise<void> {
  const keys = await run(
    Prisma.sql`SELECT id FROM "Key"
      WHERE did = ${did} AND "publicKey" = ${Buffer.from(publicKey)} AND slot IS NOT NULL`,
  );
  if (keys.length === 0) throw unauthorized();
}
