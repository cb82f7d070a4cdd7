import { z } from "zod";
import { PublicKey } from "@/lib/auth/keys/public-key";
import { Did, parseDid } from "@/lib/protocol/did";
import { type LimitClass, limitClasses } from "@/lib/protocol/endpoints";
import { Empty, single } from "@/lib/protocol/requests";
import { Timestamp, text } from "@/lib/protocol/resources";
import { Scope } from "@/lib/protocol/scope";
import { NextMeta, type SessionEndpoint } from "../endpoint";
import { SometimesAt } from "../shapes";
import { bodyLike, Changed, SearchQuery } from "./shapes";

const State = z.enum(["pending", "active", "suspended"]);
const AgentDid = Did.refine(
  (did) => parseDid(did)?.kind === "agent",
  "Must be an agent's DID.",
).meta({
  description: "DID of an agent.",
  examples: ["did:prof:agent:local:iris"],
});
const AgentParams = z.object({ agentDid: AgentDid });
const KeyParams = AgentParams.extend({
  keyId: z
    .string()
    .regex(/^key_[0-9A-Za-z]{1,32}$/, "Must be an id: key_….")
    .meta({ description: "key_<id>", examples: ["key_8uGe2LwF5aTjC0iXo3MqSk"] }),
});
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
  origin: z.enum(["itself", "user", "admin"]),
  createdAt: Timestamp,
  lastSeenAt: SometimesAt,
});

const ofOne = { params: AgentParams, query: Empty, meta: Empty, status: 200 } as const;
const change = { ...ofOne, method: "POST", data: Changed } as const;
const because = bodyLike(z.object({ reason: text({ min: 1, max: 500 }) }), {
  reason: "Nobody knows who runs it.",
});

export const agentEndpoints = {
  listAgents: {
    name: "listAgents",
    summary: "List agents, newest first.",
    method: "GET",
    path: "/api/admin/agents",
    params: Empty,
    query: SearchQuery.extend({ state: single().pipe(State).optional() }),
    body: null,
    data: z.array(Agent),
    meta: NextMeta,
    status: 200,
  },
  registerAgent: {
    name: "registerAgent",
    summary: "Register an agent; it is active at once.",
    method: "POST",
    path: "/api/admin/agents",
    params: Empty,
    query: Empty,
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
    meta: Empty,
    status: 201,
  },
  getAgent: {
    ...ofOne,
    name: "getAgent",
    summary: "Look at one agent, its keys and what it did.",
    method: "GET",
    path: "/api/admin/agents/{agentDid}",
    body: null,
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
  approveAgent: {
    ...change,
    name: "approveAgent",
    summary: "Approve a registration that waits.",
    path: "/api/admin/agents/{agentDid}/approve",
    body: null,
  },
  refuseAgent: {
    ...change,
    name: "refuseAgent",
    summary: "Refuse a registration that waits.",
    path: "/api/admin/agents/{agentDid}/refuse",
    body: because,
  },
  suspendAgent: {
    ...change,
    name: "suspendAgent",
    summary: "Suspend an agent everywhere, from its next request on.",
    path: "/api/admin/agents/{agentDid}/suspend",
    body: because,
  },
  resumeAgent: {
    ...change,
    name: "resumeAgent",
    summary: "Resume a suspended agent.",
    path: "/api/admin/agents/{agentDid}/resume",
    body: null,
  },
  verifyAgent: {
    ...change,
    name: "verifyAgent",
    summary: "Set or take the verified mark.",
    method: "PUT",
    path: "/api/admin/agents/{agentDid}/verified",
    body: bodyLike(z.strictObject({ verified: z.boolean() }), { verified: true }),
  },
  setCeiling: {
    ...change,
    name: "setCeiling",
    summary: "Set the most that any policy can give an agent; `prof:*` is no ceiling.",
    method: "PUT",
    path: "/api/admin/agents/{agentDid}/ceiling",
    body: bodyLike(z.strictObject({ ceiling: z.array(Scope).max(50) }), {
      ceiling: ["prof:preferences"],
    }),
  },
  setLimits: {
    ...change,
    name: "setLimits",
    summary: "Set limits of an agent's own; a class that is left out has the gateway's.",
    method: "PUT",
    path: "/api/admin/agents/{agentDid}/limits",
    body: bodyLike(z.strictObject({ limits: Limits }), { limits: { profile: 1_000 } }),
  },
  addKey: {
    ...change,
    name: "addKey",
    summary: "Add a key to an agent.",
    path: "/api/admin/agents/{agentDid}/keys",
    body: bodyLike(
      z.strictObject({ publicKey: PublicKey, label: text({ min: 1, max: 100 }).optional() }),
      {
        publicKey: exampleKey,
        label: "second",
      },
    ),
    status: 201,
  },
  revokeKey: {
    ...change,
    name: "revokeKey",
    summary: "Revoke a key of an agent.",
    method: "DELETE",
    path: "/api/admin/agents/{agentDid}/keys/{keyId}",
    params: KeyParams,
    body: null,
  },
  deleteAgent: {
    ...change,
    name: "deleteAgent",
    summary: "Delete an agent and its keys; nobody can register its DID again.",
    method: "DELETE",
    path: "/api/admin/agents/{agentDid}",
    body: null,
  },
} as const satisfies Record<string, SessionEndpoint>;
