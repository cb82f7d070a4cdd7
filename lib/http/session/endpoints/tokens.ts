import { z } from "zod";
import { Did } from "@/lib/protocol/did";
import { Empty, ProfileParams, single } from "@/lib/protocol/requests";
import { Timestamp, text } from "@/lib/protocol/resources";
import { Scope, scopesPerRequestMax } from "@/lib/protocol/scope";
import { tokenDaysDefault, tokenDaysMax } from "@/lib/rules/consent";
import { Done, NextMeta, PageQuery, paramsWith, type SessionEndpoint } from "./endpoint";
import { Agent, Permissions, SometimesAt } from "./shapes";

const TokenState = z.enum(["active", "expired", "revoked"]);

export const tokenEndpoints = {
  listTokens: {
    name: "listTokens",
    summary: "List connection tokens, newest first.",
    method: "GET",
    path: "/api/profiles/{did}/tokens",
    params: ProfileParams,
    query: PageQuery.extend({
      state: single().pipe(TokenState).optional().describe("Only tokens in this state."),
    }),
    body: null,
    data: z.array(
      z.object({
        id: z.string(),
        agent: Agent,
        label: z.string().nullable(),
        lastFour: z.string().describe("How the token ends; the gateway does not know the rest."),
        scopes: z.array(Scope),
        permissions: Permissions,
        state: TokenState,
        createdAt: Timestamp,
        expiresAt: Timestamp,
        lastUsedAt: SometimesAt.describe("To the minute."),
        revokedAt: SometimesAt,
      }),
    ),
    meta: NextMeta,
    status: 200,
  },
  issueToken: {
    name: "issueToken",
    summary: "Issue a connection token to an agent: that is your consent for its scopes.",
    method: "POST",
    path: "/api/profiles/{did}/tokens",
    params: ProfileParams,
    query: Empty,
    body: z
      .strictObject({
        agentDid: Did.describe("An active agent of this gateway."),
        scopes: z.array(Scope).min(1).max(scopesPerRequestMax),
        permissions: Permissions,
        days: z.int().min(1).max(tokenDaysMax).default(tokenDaysDefault),
        label: text({ min: 1, max: 100 }).optional().describe("To know it by."),
      })
      .meta({
        examples: [
          {
            agentDid: "did:prof:agent:local:iris",
            scopes: ["prof:preferences"],
            permissions: ["read"],
            days: 7,
            label: "Kitchen tablet",
          },
        ],
      }),
    data: z.object({
      id: z.string(),
      token: z.string().describe("Told this once: the gateway keeps only a hash."),
      expiresAt: Timestamp,
    }),
    meta: Empty,
    status: 201,
  },
  revokeToken: {
    name: "revokeToken",
    summary: "Revoke a connection token, and with it the consent that issuing it was.",
    method: "DELETE",
    path: "/api/profiles/{did}/tokens/{tokenId}",
    params: paramsWith("tokenId", "tok"),
    query: Empty,
    body: null,
    data: Done,
    meta: Empty,
    status: 200,
  },
} as const satisfies Record<string, SessionEndpoint>;
