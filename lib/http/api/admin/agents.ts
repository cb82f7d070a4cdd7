import { z } from "zod";
import { multibaseOf, PublicKey } from "@/lib/auth/keys/public-key";
import { Did } from "@/lib/protocol/did";
import { type LimitClass, limitClasses } from "@/lib/protocol/endpoints";
import { single } from "@/lib/protocol/requests";
import { Timestamp, text } from "@/lib/protocol/resources";
import { Scope } from "@/lib/protocol/scope";
import {
  approveAgent,
  deleteAgent,
  refuseAgent,
  resumeAgent,
  setCeiling,
  setLimits,
  suspendAgent,
  verifyAgent,
} from "@/lib/services/admin/agents/change-agent";
import { findAgent, listAgents } from "@/lib/services/admin/agents/list-agents";
import { addKey, revokeKey } from "@/lib/services/agents/keys";
import { registerAgent } from "@/lib/services/agents/register";
import { formatCursor, parseCursor } from "../../session/address/cursor";
import { endpoint, NextMeta } from "../endpoint";
import { AgentDid } from "../params";
import { bodyLike, Done, SearchQuery, SometimesAt } from "../shapes";

const State = z.enum(["pending", "active", "suspended"]);

const classes = Object.keys(limitClasses) as [LimitClass, ...LimitClass[]];

const Limits = z.partialRecord(z.enum(classes), z.int().min(0).max(99_999_999));

const exampleKey = "z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK";

const Agent = z.object({
  did: Did,
  name: z.string(),
  description: z.string().nullable(),
  operator: z.string().nullable(),
  state: State,
  stateReason: z.string().nullable(),
  verified: z.boolean(),
  ceiling: z.array(z.string()).describe("The most that any policy can give it."),
  limits: z.record(z.string(), z.int()).describe("Requests an hour, where not the gateway's."),
  origin: z.enum(["itself", "user", "admin", "client"]),
  createdAt: Timestamp,
  lastSeenAt: SometimesAt,
});

const because = bodyLike(z.object({ reason: text({ min: 1, max: 500 }) }), {
  reason: "Nobody knows who runs it.",
});

export const agentEndpoints = {
  listAgents: endpoint(
    "GET /api/admin/agents",
    {
      summary: "List agents, newest first.",
      query: SearchQuery.extend({ state: single().pipe(State).optional() }),
      data: z.array(Agent),
      meta: NextMeta,
    },
    async ({ ctx, query: { cursor, ...query } }) => {
      const place = parseCursor(cursor);
      const after = place && { createdAt: place.at, did: place.id };
      const { agents, next } = await listAgents(ctx, { ...query, after });
      const end = next && { at: next.createdAt, id: next.did };
      return {
        data: agents.map(({ registeredBy: _by, ...agent }) => agent),
        meta: { count: agents.length, next: formatCursor(end) },
      };
    },
  ),
  registerAgent: endpoint(
    "POST /api/admin/agents",
    {
      summary: "Register an agent; it is active at once.",
      body: bodyLike(
        z.strictObject({
          did: AgentDid,
          name: text({ min: 1, max: 100 }),
          publicKey: PublicKey,
          description: text({ max: 500 }).optional(),
          operator: text({ max: 200 }).optional(),
        }),
        { did: Did.parse("did:prof:agent:local:iris"), name: "Iris", publicKey: exampleKey },
      ),
      data: z.object({ did: Did, status: State }),
      status: 201,
    },
    async ({ ctx, body }) => {
      const { did, status } = await registerAgent(ctx, { ...body, mode: "closed" });
      return { data: { did, status } };
    },
  ),
  getAgent: endpoint(
    "GET /api/admin/agents/{agentDid}",
    {
      summary: "Look at one agent, its keys and what it did.",
      data: Agent.extend({
        users: z.int().describe("Profiles with a grant that names it."),
        proposals: z.object({ pending: z.int(), approved: z.int(), rejected: z.int() }),
        days: z.array(z.object({ day: Timestamp, requests: z.int(), denied: z.int() })),
        keys: z.array(
          z.object({
            id: z.string(),
            label: z.string().nullable(),
            publicKey: z.string().describe("Multibase."),
            createdAt: Timestamp,
            revokedAt: SometimesAt,
          }),
        ),
      }),
    },
    async ({ ctx, params: { agentDid } }) => {
      const { agent, keys, users, proposals, days } = await findAgent(ctx, agentDid);
      const { registeredBy: _by, ...shown } = agent;
      const shownKeys = keys.map((key) => ({ ...key, publicKey: multibaseOf(key.publicKey) }));
      return { data: { ...shown, users, proposals, days, keys: shownKeys } };
    },
  ),
  approveAgent: endpoint(
    "POST /api/admin/agents/{agentDid}/approve",
    {
      summary: "Approve a registration that waits.",
      data: Done,
    },
    async ({ ctx, params: { agentDid: did } }) => {
      await approveAgent(ctx, { did });
      return { data: { id: did } };
    },
  ),
  refuseAgent: endpoint(
    "POST /api/admin/agents/{agentDid}/refuse",
    {
      summary: "Refuse a registration that waits.",
      body: because,
      data: Done,
    },
    async ({ ctx, params: { agentDid: did }, body: { reason } }) => {
      await refuseAgent(ctx, { did, reason });
      return { data: { id: did } };
    },
  ),
  suspendAgent: endpoint(
    "POST /api/admin/agents/{agentDid}/suspend",
    {
      summary: "Suspend an agent everywhere, from its next request on.",
      body: because,
      data: Done,
    },
    async ({ ctx, params: { agentDid: did }, body: { reason } }) => {
      await suspendAgent(ctx, { did, reason });
      return { data: { id: did } };
    },
  ),
  resumeAgent: endpoint(
    "POST /api/admin/agents/{agentDid}/resume",
    {
      summary: "Resume a suspended agent.",
      data: Done,
    },
    async ({ ctx, params: { agentDid: did } }) => {
      await resumeAgent(ctx, { did });
      return { data: { id: did } };
    },
  ),
  verifyAgent: endpoint(
    "PUT /api/admin/agents/{agentDid}/verified",
    {
      summary: "Set or take the verified mark.",
      body: bodyLike(z.strictObject({ verified: z.boolean() }), { verified: true }),
      data: Done,
    },
    async ({ ctx, params: { agentDid: did }, body }) => {
      await verifyAgent(ctx, { did, ...body });
      return { data: { id: did } };
    },
  ),
  setCeiling: endpoint(
    "PUT /api/admin/agents/{agentDid}/ceiling",
    {
      summary: "Set the most that any policy can give an agent; `prof:*` is no ceiling.",
      body: bodyLike(z.strictObject({ ceiling: z.array(Scope).max(50) }), {
        ceiling: ["prof:preferences"],
      }),
      data: Done,
    },
    async ({ ctx, params: { agentDid: did }, body }) => {
      await setCeiling(ctx, { did, ...body });
      return { data: { id: did } };
    },
  ),
  setLimits: endpoint(
    "PUT /api/admin/agents/{agentDid}/limits",
    {
      summary: "Set limits of an agent's own; a class that is left out has the gateway's.",
      body: bodyLike(z.strictObject({ limits: Limits }), { limits: { profile: 1_000 } }),
      data: Done,
    },
    async ({ ctx, params: { agentDid: did }, body }) => {
      await setLimits(ctx, { did, ...body });
      return { data: { id: did } };
    },
  ),
  addKey: endpoint(
    "POST /api/admin/agents/{agentDid}/keys",
    {
      summary: "Add a key to an agent.",
      body: bodyLike(
        z.strictObject({ publicKey: PublicKey, label: text({ min: 1, max: 100 }).optional() }),
        {
          publicKey: exampleKey,
          label: "second",
        },
      ),
      data: Done,
      status: 201,
    },
    async ({ ctx, params: { agentDid: did }, body }) => ({
      data: await addKey(ctx, { did, ...body }),
    }),
  ),
  revokeKey: endpoint(
    "DELETE /api/admin/agents/{agentDid}/keys/{keyId}",
    {
      summary: "Revoke a key of an agent.",
      data: Done,
    },
    async ({ ctx, params: { agentDid: did, keyId } }) => {
      await revokeKey(ctx, { did, keyId });
      return { data: { id: keyId } };
    },
  ),
  deleteAgent: endpoint(
    "DELETE /api/admin/agents/{agentDid}",
    {
      summary: "Delete an agent and its keys; nobody can register its DID again.",
      data: Done,
    },
    async ({ ctx, params: { agentDid } }) => {
      await deleteAgent(ctx, agentDid);
      return { data: { id: agentDid } };
    },
  ),
};
