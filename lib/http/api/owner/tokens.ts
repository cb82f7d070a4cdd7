import { z } from "zod";
import { Did } from "@/lib/protocol/did";
import { single } from "@/lib/protocol/requests";
import { Timestamp, text } from "@/lib/protocol/resources";
import { Scope, scopesPerRequestMax } from "@/lib/protocol/scope";
import { tokenDaysDefault, tokenDaysMax } from "@/lib/rules/consent";
import { listTokens } from "@/lib/services/tokens/list-tokens";
import { issueToken, revokeToken } from "@/lib/services/tokens/tokens";
import { formatCursor, parseCursor } from "../../session/address/cursor";
import { endpoint, NextMeta, PageQuery } from "../endpoint";
import { Agent, Done, Permissions, SometimesAt } from "../shapes";

const TokenState = z.enum(["active", "expired", "revoked"]);

export const tokenEndpoints = {
  listTokens: endpoint(
    "GET /api/profiles/{did}/tokens",
    {
      summary: "List connection tokens, newest first.",
      query: PageQuery.extend({
        state: single().pipe(TokenState).optional().describe("Only tokens in this state."),
      }),
      data: z.array(
        z.object({
          id: z.string(),
          agent: Agent,
          label: z.string().nullable(),
          lastFour: z
            .string()
            .nullable()
            .describe("How the token ends. Null for what a client connected: its tokens change."),
          client: z
            .object({ id: z.string(), name: z.string() })
            .nullable()
            .describe("The client that connected by the gateway's address."),
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
    },
    async ({ ctx, params: { did }, query: { state, limit, cursor } }) => {
      const input = { did, state, limit, after: parseCursor(cursor) };
      const { tokens, next } = await listTokens(ctx, input);
      return { data: tokens, meta: { count: tokens.length, next: formatCursor(next) } };
    },
  ),
  issueToken: endpoint(
    "POST /api/profiles/{did}/tokens",
    {
      summary: "Issue a connection token to an agent: that is your consent for its scopes.",
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
      status: 201,
    },
    async ({ ctx, params: { did }, body }) => ({ data: await issueToken(ctx, { did, ...body }) }),
  ),
  revokeToken: endpoint(
    "DELETE /api/profiles/{did}/tokens/{tokenId}",
    {
      summary: "Revoke a connection token, and with it the consent that issuing it was.",
      data: Done,
    },
    async ({ ctx, params }) => {
      await revokeToken(ctx, params);
      return { data: { id: params.tokenId } };
    },
  ),
};
