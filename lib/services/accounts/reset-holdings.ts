import { createHash } from "node:crypto";
import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Permission } from "@/lib/engine/prisma-client/enums";
import type { Scope } from "@/lib/protocol/scope";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import { isKeyOfAgents } from "../agents/agents-of";
import type { Ctx } from "../context";
import { isOwnRule } from "../policies/own-rules";
import { hashSecretToken } from "./secret-token";

/** A signing key of a profile, or of an agent that the person registered or added the key to. */
export interface HeldKey {
  id: string;
  did: string;
  /** Null where it is a profile's. */
  agent: NamedAgent | null;
  label: string | null;
  createdAt: Date;
}

/** A connection token that reads a profile. */
export interface HeldToken {
  id: string;
  did: string;
  agent: NamedAgent;
  label: string | null;
  /** Null for what a client connected. */
  lastFour: string | null;
  lastUsedAt: Date | null;
}

/** A rule or grant that opens something, and is not of the default template. */
export interface HeldRule {
  id: string;
  did: string;
  agentPattern: string;
  /** Null where the rule is for many agents. */
  agent: NamedAgent | null;
  verifiedOnly: boolean;
  permissions: Permission[];
  updatedAt: Date;
  /** The first of the `scopeCount` scopes that it opens. */
  scopes: Scope[];
  scopeCount: number;
}

export interface Holdings {
  keys: HeldKey[];
  tokens: HeldToken[];
  rules: HeldRule[];
  /** There are more of a kind than a page shows; none can be kept then. */
  isCut: boolean;
}

export const shownMax = 200;
const scopesShownMax = 4;

/**
 * Lists the keys, tokens and rules that still work after a new password, for the holder of a live reset link; of
 * many, those that are newest.
 */
export async function listHoldings({ db, now }: Ctx, token: string): Promise<Holdings> {
  const rows = await db.$queryRaw<
    { id: string }[]
  >`SELECT u.id FROM "OneTimeLink" l JOIN "User" u ON u.email = l.email
     WHERE l."tokenHash" = ${Buffer.from(hashSecretToken(token))} AND l.purpose = 'password_reset' AND l."usedAt" IS NULL
       AND l."expiresAt" > ${now}`;
  const [holder] = rows;
  if (holder === undefined) return { keys: [], tokens: [], rules: [], isCut: false };
  return holdingsOf(db, { userId: holder.id, now });
}

/** A short name of exactly these holdings. */
export function nameOf({ keys, tokens, rules }: Holdings): string {
  const held = [keys.map(({ id }) => id), tokens.map(({ id }) => id), rules];
  return createHash("sha256").update(JSON.stringify(held)).digest("base64url");
}

export async function holdingsOf(
  tx: Tx,
  { userId, now }: { userId: string; now: Date },
): Promise<Holdings> {
  const own = Prisma.sql`WITH own AS (SELECT id, did FROM "Profile" WHERE "ownerId" = ${userId})`;
  const keys = await tx.$queryRaw<HeldKey[]>`
    ${own} SELECT k.id, k.did, k.label, k."createdAt",
      CASE WHEN a.did IS NOT NULL
        THEN jsonb_build_object('did', a.did, 'name', a.name, 'verified', a.verified) END AS agent
    FROM "Key" k LEFT JOIN "Agent" a ON a.did = k.did
    WHERE (k.slot IS NOT NULL AND k.did IN (SELECT did FROM own)) OR ${isKeyOfAgents(userId)}
    ORDER BY k."createdAt" DESC, k.id LIMIT ${shownMax + 1}`;
  const tokens = await tx.$queryRaw<HeldToken[]>`
    ${own} SELECT t.id, own.did, ${namedAgent("t")} AS agent, t.label, t."lastFour", t."lastUsedAt"
    FROM "ConnectionToken" t JOIN own ON own.id = t."profileId"
    LEFT JOIN "Agent" a ON a.did = t."agentDid"
    WHERE t."revokedAt" IS NULL AND t."expiresAt" > ${now}
    ORDER BY t."createdAt" DESC, t.id LIMIT ${shownMax + 1}`;
  const rules = await tx.$queryRaw<HeldRule[]>`
    ${own}, g AS (SELECT p.*, own.did, p."agentPattern" AS "agentDid"
      FROM "Policy" p JOIN own ON own.id = p."profileId" WHERE ${isOwnRule(now)}
      ORDER BY p."createdAt" DESC, p.id LIMIT ${shownMax + 1})
    SELECT g.id, g.did, g."agentPattern", g."verifiedOnly", g.permissions::text[], g."updatedAt",
      CASE WHEN position('*' in g."agentPattern") = 0 THEN ${namedAgent("g")} END AS agent,
      g.allow[1:${scopesShownMax}] AS scopes, cardinality(g.allow) AS "scopeCount"
    FROM g LEFT JOIN "Agent" a ON a.did = g."agentDid" ORDER BY g."createdAt" DESC, g.id`;
  return {
    keys: keys.slice(0, shownMax),
    tokens: tokens.slice(0, shownMax),
    rules: rules.slice(0, shownMax),
    isCut: [keys, tokens, rules].some(({ length }) => length > shownMax),
  };
}
