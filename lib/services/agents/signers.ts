import type { Pool } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { batched } from "@/lib/engine/query-batcher";
import type { Did } from "@/lib/protocol/did";
import type { LimitClass } from "@/lib/protocol/endpoints";
import type { Permission } from "@/lib/rules/facts";
import { carriedScopes } from "../tokens/carried-scopes";

// Finds the owner of a credential. It identifies a caller, so it comes before any `may`.

export type LimitOverrides = Partial<Record<LimitClass, number>>;

export interface Signer {
  /** `unknown` also for an agent that is pending: nobody may learn which it is. */
  standing: "active" | "suspended" | "unknown";
  keys: SignerKey[];
  limits: LimitOverrides;
  /** As of which all of this is so; null of a DID that names nobody. */
  revision: string | null;
}

export interface SignerKey {
  publicKey: Buffer;
  /** Added by an admin who did not register the agent. */
  isByAdmin: boolean;
}

export async function findSigner(pool: Pool, did: Did): Promise<Signer> {
  const row = await signers(pool, did);
  const standing = row?.state === "active" || row?.state === "suspended" ? row.state : "unknown";
  return {
    standing,
    keys: row?.keys?.split(" ").map(keyOf) ?? [],
    limits: row?.limits ?? {},
    revision: row?.revision ?? null,
  };
}

const adminsMark = "!";

function keyOf(text: string): SignerKey {
  const isByAdmin = text.endsWith(adminsMark);
  return { publicKey: Buffer.from(isByAdmin ? text.slice(0, -1) : text, "hex"), isByAdmin };
}

export interface TokenHolder {
  tokenId: string;
  agentDid: Did;
  agentState: "pending" | "active" | "suspended";
  profileId: number;
  profileDid: Did;
  scopes: string[];
  permissions: Permission[];
  ofClient: boolean;
  limits: LimitOverrides;
}

interface ShownToken {
  tokenHash: Buffer;
  now: Date;
  /** Of the entry point where it was shown, if that takes the tokens of clients, and no others. */
  resource?: string;
}

/** Null for a token that is unknown, expired, revoked, or of another entry point. */
export async function findTokenHolder(pool: Pool, shown: ShownToken): Promise<TokenHolder | null> {
  return (await tokenHolders(pool, shown)) ?? null;
}

// A suspended owner's keys are the profile's: the profile itself decides what is open. Keys come as one text:
// an array is read a character at a time.
const signers = batched<
  Did,
  {
    state: string | null;
    limits: LimitOverrides | null;
    keys: string | null;
    revision: string | null;
  }
>({
  name: "signers",
  sql: (dids) => Prisma.sql`
    SELECT asked.place, coalesce(a.state::text, o.state::text) AS state, a.limits,
      coalesce(a.revision, o.revision)::text AS revision,
      (SELECT string_agg(encode(k."publicKey", 'hex') || CASE WHEN k."addedBy" IS NOT NULL THEN ${adminsMark} ELSE '' END,
         ' ' ORDER BY k.slot) FROM "Key" k
       WHERE k.did = asked.did AND k.slot IS NOT NULL) AS keys
    FROM unnest((SELECT ${dids}::text[])) WITH ORDINALITY AS asked (did, place)
    LEFT JOIN LATERAL (SELECT state, limits, revision FROM "Agent" WHERE did = asked.did LIMIT 1) a ON true
    LEFT JOIN LATERAL (
      SELECT revision, (SELECT state FROM "User" WHERE id = p."ownerId") AS state
      FROM "Profile" p WHERE p.did = asked.did LIMIT 1) o ON true`,
});

// When a token was last used is told to the minute, so that a busy one is not written at each request. A row that is
// locked is left out.
const tokenHolders = batched<ShownToken, TokenHolder>({
  name: "token-holders",
  sql: (shown) => Prisma.sql`
    WITH held AS MATERIALIZED (
      SELECT asked.place, asked.now, t.*
      FROM unnest((SELECT ${shown.map(({ tokenHash }) => tokenHash)}::bytea[]), (SELECT ${shown.map(({ resource }) => resource)}::text[]),
        (SELECT ${shown.map(({ now }) => now)}::timestamptz[])) WITH ORDINALITY AS asked ("tokenHash", resource, now, place)
      CROSS JOIN LATERAL (
        SELECT t.* FROM "ConnectionToken" t WHERE asked.resource IS NULL AND t."tokenHash" = asked."tokenHash"
        UNION ALL
        SELECT t.* FROM "ConnectionSecret" s JOIN "ConnectionToken" t ON t.id = s."tokenId"
        WHERE s."secretHash" = asked."tokenHash" AND s.kind = 'access' AND s."expiresAt" > asked.now
          AND t.resource = asked.resource) t
      WHERE t."revokedAt" IS NULL AND t."expiresAt" > asked.now
    ), used AS (
      UPDATE "ConnectionToken" t SET "lastUsedAt" = (SELECT max(now) FROM held WHERE id = t.id)
      WHERE t.id = ANY(ARRAY(SELECT l.id FROM held CROSS JOIN LATERAL (
          SELECT id FROM "ConnectionToken" WHERE id = held.id FOR NO KEY UPDATE SKIP LOCKED) l
        WHERE held."lastUsedAt" IS NULL OR held."lastUsedAt" < held.now - interval '1 minute'))
    )
    SELECT t.place, t.id AS "tokenId", t."agentDid", a.state AS "agentState", p.id AS "profileId", p.did AS "profileDid",
      to_json(${carriedScopes(Prisma.sql`t.now`)}) AS scopes, to_json(t.permissions) AS permissions,
      t."clientId" IS NOT NULL AS "ofClient", a.limits
    FROM held t
    JOIN LATERAL (SELECT id, did FROM "Profile" WHERE id = t."profileId" LIMIT 1) p ON true
    JOIN LATERAL (SELECT state, limits FROM "Agent" WHERE did = t."agentDid" LIMIT 1) a ON true`,
});
