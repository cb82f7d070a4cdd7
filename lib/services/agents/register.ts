import type { PoolClient } from "pg";
import type { AgentOrigin, AgentState } from "@/lib/engine/prisma-client/enums";
import type { Did } from "@/lib/protocol/did";
import { forbidden, invalidRequest } from "@/lib/protocol/errors";
import { type Caller, mayAdminister } from "@/lib/rules/may";
import { hashDid } from "../accounts/new-profile";
import { recordAdmin } from "../audit/record";
import { withAuthority } from "../authority";
import type { Ctx } from "../context";
import { insertKey } from "./keys";

export interface NewAgent {
  did: Did;
  name: string;
  /** 32 raw bytes; whoever registers has shown to hold the private key, or is signed in. */
  publicKey: Buffer;
  description?: string;
  operator?: string;
}

/** What registering oneself leads to: AGENT_REGISTRATION. */
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
  // The lock puts one person's registrations in order, so that a count of them is right until ours is in.
  const users = ctx.caller.kind === "person" ? [ctx.caller.userId] : [];
  return withAuthority(ctx, { users, lasting: true }, async (client, caller) => {
    const beginning = beginningOf(caller, mode);
    if (beginning.origin === "user") await refuseTooMany(client, beginning.registeredBy);
    if (!(await insertAgent(client, { ctx, agent, beginning })))
      return findSame(client, { agent, beginning });
    // Looked for behind the insert, which waits for a deletion that is under way.
    await refuseRetired(client, agent.did);
    await insertKey(client, { ...agent, now: ctx.now });
    const after = { ...beginning, name: agent.name };
    await recordAdmin(client, {
      ctx,
      event: { verb: "registerAgent", subjectId: agent.did, after },
    });
    return { did: agent.did, status: beginning.state, isNew: true };
  });
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
  throw forbidden("Only an admin registers agents here. Ask whoever runs this gateway.");
}

/** Throws where agents cannot register themselves; asked before any work on a registration. */
export function refuseClosedRegistration(mode: RegistrationMode): void {
  if (mode !== "closed") return;
  throw forbidden("Agents cannot register themselves here. Ask whoever runs this gateway.");
}

export const agentsPerUserMax = 50;

async function refuseTooMany(client: PoolClient, userId: string | null): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "Agent" WHERE "registeredBy" = $1 AND origin = 'user'`,
    [userId],
  );
  if ((rows[0]?.count ?? 0) < agentsPerUserMax) return;
  const message = `You have registered ${agentsPerUserMax} agents already; that is the most for one account.`;
  throw invalidRequest([{ path: "did", message }]);
}

interface Inserting {
  ctx: Ctx;
  agent: NewAgent;
  beginning: Beginning;
}

async function insertAgent(client: PoolClient, { ctx, agent, beginning }: Inserting) {
  const { rowCount } = await client.query(
    `INSERT INTO "Agent" (did, name, description, operator, state, origin, "registeredBy",
       "createdAt", "updatedAt")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) ON CONFLICT (did) DO NOTHING`,
    [
      agent.did,
      agent.name,
      agent.description,
      agent.operator,
      beginning.state,
      beginning.origin,
      beginning.registeredBy,
      ctx.now,
    ],
  );
  return rowCount === 1;
}

// Repeating a registration is no mistake: whoever registered learns whether it was approved meanwhile.
async function findSame(
  client: PoolClient,
  { agent: { did, publicKey }, beginning }: Pick<Inserting, "agent" | "beginning">,
): Promise<RegisteredAgent> {
  const { rows } = await client.query<Beginning>(
    `SELECT a.state, a.origin, a."registeredBy" FROM "Agent" a
     JOIN "Key" k ON k.did = a.did AND k."publicKey" = $2 AND k.slot IS NOT NULL
     WHERE a.did = $1`,
    [did, publicKey],
  );
  const [row] = rows;
  if (row === undefined) throw taken();
  const { origin, registeredBy } = beginning;
  // A user needs no private key to register a DID: the one who holds it must not take that agent for its own.
  if (origin === "itself" && row.origin === "user") throw registeredByUser();
  if (origin === "user" && row.registeredBy !== registeredBy) throw taken();
  return { did, status: row.state, isNew: false };
}

async function refuseRetired(client: PoolClient, did: Did): Promise<void> {
  const { rowCount } = await client.query(`SELECT FROM "RetiredDid" WHERE "didHash" = $1`, [
    Buffer.from(hashDid(did)),
  ]);
  if (rowCount !== 0) throw taken();
}

// One text for both: whether somebody deleted an agent is nobody else's business.
function taken() {
  return forbidden("This DID cannot be registered with this key. Choose another DID.");
}

function registeredByUser() {
  return forbidden(
    "A user of this gateway registered this DID, and decides over its keys. If you trust them with it, there is nothing to do. Else choose another DID.",
  );
}
