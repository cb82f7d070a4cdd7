import { z } from "zod";
import { Timestamp } from "@/lib/protocol/resources";
import { Scope } from "@/lib/protocol/scope";
import { type ListedPolicy, listPolicies } from "@/lib/services/policies/list";
import { addPolicy, editPolicy, switchPolicy } from "@/lib/services/policies/policies";
import { PolicyInput } from "@/lib/services/policies/policy-input";
import { removePolicy } from "@/lib/services/policies/remove";
import { endpoint } from "../endpoint";
import { Done, SometimesAt } from "../shapes";

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

// Converts the expiry from JSON to a Date.
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
  listPolicies: endpoint(
    "GET /api/profiles/{did}/policies",
    {
      summary: "List the policies that have not ended, oldest first; at most 1,000.",
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
          origin: z.enum(["owner", "template", "consent", "token", "quarantine"]),
          expiresAt: SometimesAt,
          createdAt: Timestamp,
          updatedAt: Timestamp,
        }),
      ),
      meta: z.object({ count: z.int() }),
    },
    async ({ ctx, params: { did } }) => {
      const { standing } = await listPolicies(ctx, did);
      return { data: standing.map(policyOf), meta: { count: standing.length } };
    },
  ),
  addPolicy: endpoint(
    "POST /api/profiles/{did}/policies",
    {
      summary:
        "Add a policy. At most 200 may be switched on, with 1,000 scopes in all; the oldest that are switched off make room.",
      body: NewPolicy,
      data: z.object({ id: z.string() }),
      status: 201,
    },
    async ({ ctx, params: { did }, body }) => ({
      data: { id: await addPolicy(ctx, { did, policy: { ...body, origin: "owner" } }) },
    }),
  ),
  editPolicy: endpoint(
    "PUT /api/profiles/{did}/policies/{policyId}",
    {
      summary: "Replace a policy that you wrote yourself.",
      body: PolicyChange,
      data: Done,
    },
    async ({ ctx, params, body: { updatedAt: shownAs, policy } }) => {
      await editPolicy(ctx, { ...params, shownAs, policy });
      return { data: { id: params.policyId } };
    },
  ),
  switchPolicy: endpoint(
    "PATCH /api/profiles/{did}/policies/{policyId}",
    {
      summary: "Switch a policy on or off.",
      body: z.strictObject({ enabled: z.boolean() }).meta({ examples: [{ enabled: false }] }),
      data: Done,
    },
    async ({ ctx, params, body }) => {
      await switchPolicy(ctx, { ...params, ...body });
      return { data: { id: params.policyId } };
    },
  ),
  removePolicy: endpoint(
    "DELETE /api/profiles/{did}/policies/{policyId}",
    {
      summary: "Remove a policy.",
      data: Done,
    },
    async ({ ctx, params }) => {
      await removePolicy(ctx, params);
      return { data: { id: params.policyId } };
    },
  ),
};

// The dashboard shows what the policy came from next to it.
function policyOf({ agent: _agent, consent: _consent, token: _token, ...policy }: ListedPolicy) {
  return policy;
}
