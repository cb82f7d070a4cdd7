import type { Tx } from "@/lib/engine/db";
import type { AgentOrigin, AgentState } from "@/lib/engine/prisma-client/enums";
import type { Did } from "@/lib/protocol/did";
import { forbidden, invalidRequest } from "@/lib/protocol/errors";
import { type Caller, mayAdminister } from "@/lib/rules/may";
import { hashDid } from "../accounts/new-profile";
import { recordAdmin } from "../audit/record";
import { withAuthority } from "../authority";
import { isClientDid } from "../connect/client-did";
import type { Ctx } from "../context";
import { insertKey } from "./keys";

export interface NewAgent {
  did: Did;
  name: string;
  /** 32 raw bytes; the caller has proven to hold the private key, or is signed in. */
  publicKey: Buffer;
  description?: string;
  operator?: string;
}

/** What self-registration leads to: AGENT_REGISTRATION. */
export type RegistrationMode = "open" | "approval" | "closed";

export interface RegisteredAgent {
  did: Did;
  status: AgentState;
  /** False where the same DID had the same key already: then nothing was changed. */
  isNew: boolean;
}

/** Protocol 1. The primary key decides who was first; nobody comes second with another key. */
export async function registerAgent(
  ctx: Ctx,
  { mode, ...agent }: NewAgent & { mode: RegistrationMode },
): Promise<RegisteredAgent> {
  // Refused before a transaction begins where that is clear already.
  beginningOf(ctx.caller, mode);
  refuseClientDid(agent.did);
  // The lock puts one person's registrations in order, so that a count of them is right until ours is in.
  const users = ctx.caller.kind === "person" ? [ctx.caller.userId] : [];
  return withAuthority(ctx, { users, lasting: true }, async (tx, caller) => {
    const beginning = beginningOf(caller, mode);
    if (beginning.origin === "user") await refuseTooMany(tx, beginning.registeredBy);
    if (!(await insertAgent(tx, { ctx, agent, beginning })))
      return findSame(tx, { agent, beginning });
    // Looked for behind the insert, which waits for a deletion that is under way.
    await refuseRetired(tx, agent.did);
    await insertKey(tx, { ...agent, now: ctx.now });
    const after = { ...beginning, name: agent.name };
    await recordAdmin(tx, {
      ctx,
      event: { verb: "registerAgent", subjectId: agent.did, after },
    });
    return { did: agent.did, status: beginning.state, isNew: true };
  });
}

// What a client is called can be known before it comes: with a key under that name, its owners would let in another.
function refuseClientDid(did: Did): void {
  if (!isClientDid(did)) return;
  const message =
    "Names that begin with oauth- are for programs that connect by the gateway's address.";
  throw invalidRequest([{ path: "did", message }]);
}

interface Beginning {
  origin: AgentOrigin;
  state: AgentState;
  registeredBy: string | null;
}

// An admin's word is the approval. A signed-in user's is none, or anybody with an account could approve.
function beginningOf(caller: Caller, mode: RegistrationMode): Beginning {
  const state = mode === "open" ? "active" : "pending";
  if (caller.kind === "nobody") {
    refuseClosedRegistration(mode);
    return { origin: "itself", state, registeredBy: null };
  }
  if (caller.kind !== "person") throw forbidden();
  const registeredBy = caller.userId;
  if (mayAdminister(caller).allowed) return { origin: "admin", state: "active", registeredBy };
  if (mode !== "closed") return { origin: "user", state, registeredBy };
  throw forbidden("Only an admin registers agents here. Ask an admin of this gateway.");
}

/** Throws where agents cannot register themselves; asked before any work on a registration. */
export function refuseClosedRegistration(mode: RegistrationMode): void {
  if (mode !== "closed") return;
  throw forbidden("Agents cannot register themselves here. Ask an admin of this gateway.");
}

export const agentsPerUserMax = 50;

async function refuseTooMany(tx: Tx, userId: string | null): Promise<void> {
  const count = await tx.agent.count({ where: { registeredBy: userId, origin: "user" } });
  if (count < agentsPerUserMax) return;
  const message = `You have registered ${agentsPerUserMax} agents already; that is the most for one account.`;
  throw invalidRequest([{ path: "did", message }]);
}

interface Inserting {
  ctx: Ctx;
  agent: NewAgent;
  beginning: Beginning;
}

async function insertAgent(tx: Tx, { ctx, agent, beginning }: Inserting) {
  const { did, name, description, operator } = agent;
  const times = { createdAt: ctx.now, updatedAt: ctx.now };
  const { count } = await tx.agent.createMany({
    data: { did, name, description, operator, ...beginning, ...times },
    skipDuplicates: true,
  });
  return count === 1;
}

// Repeating a registration is allowed: the answer says whether it was approved since.
async function findSame(
  tx: Tx,
  { agent: { did, publicKey }, beginning }: Pick<Inserting, "agent" | "beginning">,
): Promise<RegisteredAgent> {
  const rows = await tx.$queryRaw<
    Beginning[]
  >`SELECT a.state, a.origin, a."registeredBy" FROM "Agent" a
     JOIN "Key" k ON k.did = a.did AND k."publicKey" = ${publicKey} AND k.slot IS NOT NULL
     WHERE a.did = ${did}`;
  const [row] = rows;
  if (row === undefined) throw taken();
  const { origin, registeredBy } = beginning;
  // A user needs no private key to register a DID: the one who holds it must not take that agent for its own.
  if (origin === "itself" && row.origin === "user") throw registeredByUser();
  if (origin === "user" && row.registeredBy !== registeredBy) throw taken();
  return { did, status: row.state, isNew: false };
}

async function refuseRetired(tx: Tx, did: Did): Promise<void> {
  if ((await tx.retiredDid.count({ where: { didHash: hashDid(did) } })) > 0) throw taken();
}

// One message for both cases: whether a user deleted an agent is private.
function taken() {
  return forbidden("This DID cannot be registered with this key. Choose another DID.");
}

function registeredByUser() {
  return forbidden(
    "A user of this gateway registered this DID, and decides over its keys. If you trust them with it, there is nothing to do. Else choose another DID.",
  );
}
