import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Scope } from "@/lib/protocol/scope";
import { type AgentEvent, type AgentEventType, enqueue } from "./enqueue";

/** The ids of what a transaction has changed. */
export interface Changed {
  agents?: readonly string[];
  requests?: readonly string[];
  proposals?: readonly string[];
  receipts?: readonly string[];
  tokens?: readonly string[];
  policies?: readonly string[];
  /** Policies that are gone. */
  removed?: readonly RemovedPolicy[];
}

export interface RemovedPolicy {
  id: string;
  agentDid: string;
  profileId: number;
  allow: readonly string[];
}

/** Tells agents with a webhook what these are now. Last in the transaction that has changed them. */
export async function notifyAgents(tx: Tx, now: Date, changed: Changed): Promise<void> {
  if (Object.values(changed).every((ids) => ids.length === 0)) return;
  await enqueue(tx, { now, events: await statesOf(tx, changed) });
}

/** The messages about these, for a transaction that has others to send as well. */
export async function statesOf(tx: Tx, changed: Changed): Promise<AgentEvent[]> {
  return eventsOf(await loadStates(tx, changed));
}

type AccessKind = "receipts" | "tokens" | "policies";

interface State {
  agentDid: string;
  type: AgentEventType;
  profile: string | null;
  id: string;
  kind: AccessKind | null;
  state: string | null;
  scopes: Scope[];
}

/** Reads no table that nothing has changed in: the change must not wait for locks that others have there. */
async function loadStates(tx: Tx, changed: Changed): Promise<State[]> {
  const parts = partsOf(changed).filter(([ids]) => ids.length > 0);
  if (parts.length === 0) return [];
  const union = Prisma.join(
    parts.map(([, part]) => part),
    " UNION ALL ",
  );
  return tx.$queryRaw<State[]>`
    SELECT e."agentDid", e.type, p.did AS profile, e.id, e.kind, e.state, e.scopes
    FROM (${union}) e ("agentDid", type, "profileId", id, kind, state, scopes)
    JOIN "Webhook" w ON w."agentDid" = e."agentDid" LEFT JOIN "Profile" p ON p.id = e."profileId"`;
}

function partsOf(changed: Changed): [readonly unknown[], Prisma.Sql][] {
  const { agents = [], requests = [], proposals = [], removed = [] } = changed;
  const { receipts = [], tokens = [], policies = [] } = changed;
  const lostIf = (ended: Prisma.Sql) =>
    Prisma.sql`CASE WHEN ${ended} THEN 'access.revoked' ELSE 'access.restored' END`;
  const revoked = lostIf(Prisma.sql`"revokedAt" IS NOT NULL`);
  const none = Prisma.sql`NULL::text, '{}'::text[]`;
  // A rule that only denies gives no access, so none ends or comes back with it.
  const opening = removed.filter(({ allow }) => allow.length > 0);
  return [
    [
      agents,
      Prisma.sql`SELECT did, 'agent.state', NULL::int, did, NULL::text, state::text, '{}'::text[]
        FROM "Agent" WHERE did = ANY(${agents}::text[])`,
    ],
    [
      requests,
      Prisma.sql`SELECT "agentDid", 'consent.decided', "profileId", id, NULL::text, status::text, "grantedScopes"::text[]
        FROM "ConsentRequest" WHERE id = ANY(${requests}::text[])`,
    ],
    [
      proposals,
      // An imported one was not made here: its agent is a name that the file has. By its key, whatever the planner
      // thinks of the index of those that were.
      Prisma.sql`SELECT "agentDid", 'proposal.decided', "profileId", id, NULL::text, status::text, '{}'::text[]
        FROM "Proposal" WHERE id = ANY(${proposals}::text[]) AND imported::text = 'false'`,
    ],
    [
      receipts,
      Prisma.sql`SELECT "agentDid", ${revoked}, "profileId", id, 'receipts', ${none}
        FROM "Receipt" WHERE id = ANY(${receipts}::text[])`,
    ],
    [
      tokens,
      Prisma.sql`SELECT "agentDid", ${revoked}, "profileId", id, 'tokens', ${none}
        FROM "ConnectionToken" WHERE id = ANY(${tokens}::text[])`,
    ],
    [
      policies,
      Prisma.sql`SELECT "agentPattern", ${lostIf(Prisma.sql`NOT enabled`)}, "profileId", id, 'policies', ${none}
        FROM "Policy" WHERE id = ANY(${policies}::text[]) AND allow <> '{}'`,
    ],
    [
      opening,
      Prisma.sql`SELECT "agentDid", 'access.revoked', "profileId", id, 'policies', ${none}
        FROM jsonb_to_recordset(${JSON.stringify(opening)}::jsonb) AS r(id text, "agentDid" text, "profileId" int)`,
    ],
  ];
}

/** How many ids or scopes of a kind a message names: a body has at most 8,000 bytes. */
const namedMax = 50;

/** One event for each decision, and one for all access that an agent has lost to a profile, or has again. */
function eventsOf(states: readonly State[]): AgentEvent[] {
  const events: AgentEvent[] = [];
  const access = new Map<string, Record<AccessKind, string[]>>();
  for (const { agentDid, type, profile, id, kind, state, scopes } of states) {
    if (kind !== null) {
      const key = `${agentDid} ${type} ${profile}`;
      const ids = access.get(key) ?? { receipts: [], tokens: [], policies: [] };
      if (!access.has(key)) {
        access.set(key, ids);
        events.push({ agentDid, type, data: { profile, ...ids } });
      }
      if (ids[kind].length < namedMax) ids[kind].push(id);
    } else if (type === "agent.state") events.push({ agentDid, type, data: { state } });
    else {
      const granted = { grantedScopes: scopes.slice(0, namedMax) };
      const isConsent = type === "consent.decided";
      const data = { id, profile, status: state, ...(isConsent ? granted : {}) };
      events.push({ agentDid, type, data });
    }
  }
  return events;
}
