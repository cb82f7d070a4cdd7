import { z } from "zod";
import { single } from "@/lib/protocol/requests";
import { Timestamp } from "@/lib/protocol/resources";
import { Scope, scopesPerRequestMax } from "@/lib/protocol/scope";
import { consentChoices } from "@/lib/rules/access";
import {
  decideConsent,
  listPendingConsents,
  type PendingConsent,
} from "@/lib/services/access/consents";
import { listReceipts } from "@/lib/services/receipts/list-receipts";
import { revokeReceipt } from "@/lib/services/receipts/revoke-receipt";
import { formatCursor, parseCursor } from "../../session/address/cursor";
import { endpoint, NextMeta, PageQuery } from "../endpoint";
import { Agent, Done, SometimesAt } from "../shapes";

const ReceiptState = z.enum(["active", "expired", "revoked"]);

export const accessEndpoints = {
  listConsents: endpoint(
    "GET /api/profiles/{did}/consents",
    {
      summary: "List the access requests that wait for you, oldest first; at most 100.",
      data: z.array(
        z.object({
          id: z.string(),
          agent: Agent,
          scopes: z.array(Scope),
          purposeType: z.string(),
          purposeDescription: z.string().nullable(),
          legalBasis: z.string().nullable(),
          retention: z.string().nullable(),
          timesAsked: z.int(),
          requestedAt: Timestamp,
        }),
      ),
      meta: z.object({ count: z.int() }),
    },
    async ({ ctx, params: { did } }) => {
      const pending = await listPendingConsents(ctx, did);
      return { data: pending.map(requestOf), meta: { count: pending.length } };
    },
  ),
  decideConsent: endpoint(
    "POST /api/profiles/{did}/consents/{requestId}",
    {
      summary: "Grant all, a part or nothing of what an agent asks for.",
      body: z
        .strictObject({
          scopes: z
            .array(Scope)
            .max(scopesPerRequestMax)
            .describe("Of what was asked, or narrower. None: the request is denied."),
          choice: z.enum(consentChoices).default("once").describe("For how long."),
        })
        .meta({ examples: [{ scopes: ["prof:interests"], choice: "1d" }] }),
      data: Done,
    },
    async ({ ctx, params, body }) => {
      await decideConsent(ctx, { ...params, ...body });
      return { data: { id: params.requestId } };
    },
  ),
  listReceipts: endpoint(
    "GET /api/profiles/{did}/receipts",
    {
      summary: "List receipts, newest first.",
      query: PageQuery.extend({
        state: single().pipe(ReceiptState).optional().describe("Only receipts in this state."),
      }),
      data: z.array(
        z.object({
          id: z.string(),
          agent: Agent,
          grantedScopes: z.array(Scope),
          deniedScopes: z.array(Scope),
          purposeType: z.string(),
          retention: z.string().nullable(),
          state: ReceiptState,
          grantedAt: Timestamp,
          expiresAt: Timestamp,
          revokedAt: SometimesAt,
        }),
      ),
      meta: NextMeta,
    },
    async ({ ctx, params: { did }, query: { state, limit, cursor } }) => {
      const place = parseCursor(cursor);
      const after = place && { grantedAt: place.at, id: place.id };
      const { receipts, hasMore } = await listReceipts(ctx, { did, state, limit, after });
      const last = hasMore ? receipts.at(-1) : undefined;
      const next = formatCursor(last ? { at: last.grantedAt, id: last.id } : null);
      return { data: receipts, meta: { count: receipts.length, next } };
    },
  ),
  revokeReceipt: endpoint(
    "DELETE /api/profiles/{did}/receipts/{receiptId}",
    {
      summary: "Revoke an active receipt, and the grants that would give it again.",
      data: Done,
    },
    async ({ ctx, params }) => {
      await revokeReceipt(ctx, params);
      return { data: { id: params.receiptId } };
    },
  ),
};

function requestOf({ agentDid: _same, agent, ...request }: PendingConsent) {
  const { did, name, verified } = agent;
  return { ...request, agent: { did, name, verified } };
}
