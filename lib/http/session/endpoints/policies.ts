import { z } from "zod";
import { Empty, ProfileParams } from "@/lib/protocol/requests";
import { Timestamp } from "@/lib/protocol/resources";
import { Scope } from "@/lib/protocol/scope";
import { PolicyInput } from "@/lib/services/policies/policy-input";
import { Done, paramsWith, type SessionEndpoint } from "./endpoint";
import { SometimesAt } from "./shapes";

const PolicyParams = paramsWith("policyId", "pol");

const { shape } = PolicyInput;
const written = {
  ...shape,
  verifiedOnly: shape.verifiedOnly.default(false),
  deny: shape.deny.default([]),
  purposes: shape.purposes.default([]),
  maxRetention: shape.maxRetention.default(null),
  receiptSeconds: shape.receiptSeconds.default(null),
  expiresAt: SometimesAt.default(null),
};

const example = {
  agentPattern: "did:prof:agent:*:*",
  verifiedOnly: true,
  allow: ["prof:preferences"],
  permissions: ["read"],
};

// What JSON says of an instant, as the rule wants it.
function dated<T extends { expiresAt: string | null }>({ expiresAt, ...rest }: T) {
  return { ...rest, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}

// A misspelt restriction that is ignored opens more than its owner wrote.
const NewPolicy = z
  .strictObject(written)
  .transform(dated)
  .pipe(PolicyInput)
  .meta({ examples: [example] });

const PolicyChange = z
  .strictObject({ ...written, updatedAt: Timestamp.describe("As you last read it.") })
  .transform(({ updatedAt, ...policy }) => ({
    updatedAt: new Date(updatedAt),
    policy: dated(policy),
  }))
  .pipe(z.object({ updatedAt: z.date(), policy: PolicyInput }))
  .meta({ examples: [{ ...example, updatedAt: "2030-01-31T12:00:00.000Z" }] });

export const policyEndpoints = {
  listPolicies: {
    name: "listPolicies",
    summary: "List the policies that have not ended, oldest first; at most 1,000.",
    method: "GET",
    path: "/api/profiles/{did}/policies",
    params: ProfileParams,
    query: Empty,
    body: null,
    data: z.array(
      z.object({
        id: z.string(),
        agentPattern: z.string(),
        verifiedOnly: z.boolean(),
        allow: z.array(Scope),
        deny: z.array(Scope),
        permissions: z.array(z.enum(["read", "propose"])),
        purposes: z.array(z.string()),
        maxRetention: z.string().nullable(),
        receiptSeconds: z.int().nullable(),
        enabled: z.boolean(),
        origin: z.enum(["owner", "template", "consent", "token"]),
        expiresAt: SometimesAt,
        createdAt: Timestamp,
        updatedAt: Timestamp,
      }),
    ),
    meta: z.object({ count: z.int() }),
    status: 200,
  },
  addPolicy: {
    name: "addPolicy",
    summary:
      "Add a policy. At most 200 may be switched on, with 1,000 scopes in all; the oldest that are switched off make room.",
    method: "POST",
    path: "/api/profiles/{did}/policies",
    params: ProfileParams,
    query: Empty,
    body: NewPolicy,
    data: z.object({ id: z.string() }),
    meta: Empty,
    status: 201,
  },
  editPolicy: {
    name: "editPolicy",
    summary: "Replace a policy that you wrote yourself.",
    method: "PUT",
    path: "/api/profiles/{did}/policies/{policyId}",
    params: PolicyParams,
    query: Empty,
    body: PolicyChange,
    data: Done,
    meta: Empty,
    status: 200,
  },
  switchPolicy: {
    name: "switchPolicy",
    summary: "Switch a policy on or off.",
    method: "PATCH",
    path: "/api/profiles/{did}/policies/{policyId}",
    params: PolicyParams,
    query: Empty,
    body: z.strictObject({ enabled: z.boolean() }).meta({ examples: [{ enabled: false }] }),
    data: Done,
    meta: Empty,
    status: 200,
  },
  removePolicy: {
    name: "removePolicy",
    summary: "Remove a policy.",
    method: "DELETE",
    path: "/api/profiles/{did}/policies/{policyId}",
    params: PolicyParams,
    query: Empty,
    body: null,
    data: Done,
    meta: Empty,
    status: 200,
  },
} as const satisfies Record<string, SessionEndpoint>;
