import { z } from "zod";
import { Empty, ProfileParams, single } from "@/lib/protocol/requests";
import { Timestamp } from "@/lib/protocol/resources";
import { Scope, scopesPerRequestMax } from "@/lib/protocol/scope";
import { consentChoices } from "@/lib/rules/access";
import { Done, NextMeta, PageQuery, paramsWith, type SessionEndpoint } from "./endpoint";
import { Agent, SometimesAt } from "./shapes";

const ReceiptState = z.enum(["active", "expired", "revoked"]);

export const accessEndpoints = {
  listConsents: {
    name: "listConsents",
    summary: "List the access requests that wait for you, oldest first; at most 100.",
    method: "GET",
    path: "/api/profiles/{did}/consents",
    params: ProfileParams,
    query: Empty,
    body: null,
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
    status: 200,
  },
  decideConsent: {
    name: "decideConsent",
    summary: "Grant all, a part or nothing of what an agent asks for.",
    method: "POST",
    path: "/api/profiles/{did}/consents/{requestId}",
    params: paramsWith("requestId", "creq"),
    query: Empty,
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
    meta: Empty,
    status: 200,
  },
  listReceipts: {
    name: "listReceipts",
    summary: "List receipts, newest first.",
    method: "GET",
    path: "/api/profiles/{did}/receipts",
    params: ProfileParams,
    query: PageQuery.extend({
      state: single().pipe(ReceiptState).optional().describe("Only receipts in this state."),
    }),
    body: null,
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
    status: 200,
  },
  revokeReceipt: {
    name: "revokeReceipt",
    summary: "Revoke an active receipt, and the grants that would give it again.",
    method: "DELETE",
    path: "/api/profiles/{did}/receipts/{receiptId}",
    params: paramsWith("receiptId", "rcpt"),
    query: Empty,
    body: null,
    data: Done,
    meta: Empty,
    status: 200,
  },
} as const satisfies Record<string, SessionEndpoint>;
