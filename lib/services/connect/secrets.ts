import { createHash, timingSafeEqual } from "node:crypto";
import { inTransaction, type Tx } from "@/lib/engine/db";
import { OAuthError } from "@/lib/oauth/oauth-error";
import { tooManyActions } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import type { Permission } from "@/lib/rules/facts";
import { createSecretToken, hashSecretToken, type Opaque } from "../accounts/secret-token";
import type { Ctx } from "../context";
import { carriedScopes } from "../tokens/carried-scopes";
import { mintConnectionToken } from "../tokens/connection-token";
import { endConnection } from "./end-connection";

// What a connected client shows: an access token for a day, and a refresh token that is replaced at each use.

/** A new pair, and what it opens. */
export interface IssuedSecrets {
  accessToken: string;
  refreshToken: string;
  expiresInSeconds: number;
  scopes: Scope[];
  permissions: Permission[];
}

export interface Redeeming {
  code: string;
  clientId: string;
  redirectUri: string;
  /** The request named its hash. RFC 7636. */
  verifier: string;
  issuer: string;
}

const accessSeconds = 24 * 60 * 60;
const refreshSeconds = 90 * 24 * 60 * 60;
/** For how long a used refresh token works again, as its answer may have been lost. */
const graceSeconds = 60;

/** Exchanges a code for a pair, once. A code that comes again ends what it gave: another party has it too. */
export async function redeemCode(ctx: Ctx, redeeming: Redeeming): Promise<IssuedSecrets> {
  const { db, now } = ctx;
  const codeHash = hashSecretToken(redeeming.code);
  const row = await db.authorization.findUnique({
    where: { codeHash },
    include: { token: { select: { id: true, profileId: true, revokedAt: true } } },
  });
  // A thief of a code has no verifier, and must not be able to end anything with it.
  if (row?.token == null || !fits(row, redeeming)) throw invalidGrant();
  const { token } = row;
  const issued = await inTransaction(db, async (tx) => {
    const { count } = await tx.authorization.updateMany({
      where: { codeHash, redeemedAt: null, codeExpiresAt: { gt: now } },
      data: { redeemedAt: now },
    });
    return count === 0 ? null : issueSecrets(tx, token.id, now);
  });
  if (issued !== null) return issued;
  const wasRedeemed = { codeHash, redeemedAt: { not: null } };
  if (token.revokedAt === null && (await db.authorization.count({ where: wasRedeemed })) > 0) {
    await endConnection(ctx, token, "reused");
  }
  throw invalidGrant();
}

interface Bound {
  clientId: string;
  redirectUri: string;
  challenge: string;
  issuer: string;
}

function fits(row: Bound, { clientId, redirectUri, verifier, issuer }: Redeeming): boolean {
  const shown = createHash("sha256").update(verifier).digest();
  const bound = Buffer.from(row.challenge, "base64url");
  return (
    row.clientId === clientId &&
    row.redirectUri === redirectUri &&
    row.issuer === issuer &&
    bound.length === shown.length &&
    timingSafeEqual(bound, shown)
  );
}

// Null where the connection has ended. Its lock keeps it as it is until the pair is written.
async function issueSecrets(tx: Tx, tokenId: string, now: Date): Promise<IssuedSecrets | null> {
  const [held] = await tx.$queryRaw<
    Held[]
  >`SELECT id, scopes, permissions::text[] AS permissions, "expiresAt"
    FROM "ConnectionToken" WHERE id = ${tokenId} AND "revokedAt" IS NULL AND "expiresAt" > ${now} FOR SHARE`;
  if (held === undefined) return null;
  const pair = mintPair(now);
  const until = (end: Date) => new Date(Math.min(end.getTime(), held.expiresAt.getTime()));
  const rows = [
    { kind: "access", secretHash: pair.access.tokenHash, expiresAt: until(pair.accessUntil) },
    { kind: "refresh", secretHash: pair.refresh.tokenHash, expiresAt: until(pair.refreshUntil) },
  ] as const;
  await tx.connectionSecret.createMany({
    data: rows.map((row) => ({ ...row, tokenId, createdAt: now })),
  });
  return issuedOf(pair, held, now);
}

interface Held {
  scopes: Scope[];
  permissions: Permission[];
  expiresAt: Date;
}

interface Pair {
  access: Opaque;
  accessUntil: Date;
  refresh: Opaque;
  refreshUntil: Date;
}

function mintPair(now: Date): Pair {
  const until = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
  return {
    access: mintConnectionToken(),
    accessUntil: until(accessSeconds),
    refresh: createSecretToken(),
    refreshUntil: until(refreshSeconds),
  };
}

function issuedOf({ access, refresh, accessUntil }: Pair, held: Held, now: Date): IssuedSecrets {
  const { scopes, permissions, expiresAt } = held;
  const ms = Math.min(accessUntil.getTime(), expiresAt.getTime()) - now.getTime();
  return {
    accessToken: access.token,
    refreshToken: refresh.token,
    expiresInSeconds: Math.floor(ms / 1_000),
    scopes,
    permissions,
  };
}

export interface Refreshing {
  refreshToken: string;
  clientId: string;
  resource: string;
}

// Within the minute of grace each new refresh token could be used again at once.
const pairsAnHourMax = 60;

/**
 * A new pair for a refresh token, by one statement. The access token before it keeps working, as other processes of
 * the client use it. A refresh token that comes again after its grace ends the connection.
 */
export async function refreshSecrets(ctx: Ctx, refreshing: Refreshing): Promise<IssuedSecrets> {
  const { db, now } = ctx;
  const { refreshToken, clientId, resource } = refreshing;
  const secretHash = hashSecretToken(refreshToken);
  const pair = mintPair(now);
  const graceFrom = new Date(now.getTime() - graceSeconds * 1_000);
  const hourAgo = new Date(now.getTime() - 60 * 60_000);
  const [rotated] = await db.$queryRaw<Held[]>`
    WITH held AS MATERIALIZED (
      SELECT t.* FROM "ConnectionSecret" s JOIN "ConnectionToken" t ON t.id = s."tokenId"
      WHERE s."secretHash" = ${secretHash} AND s.kind = 'refresh' AND s."expiresAt" > ${now}
        AND t."clientId" = ${clientId} AND t.resource = ${resource}
        AND t."revokedAt" IS NULL AND t."expiresAt" > ${now}
        AND EXISTS (SELECT FROM "Agent" a WHERE a.did = t."agentDid")
        AND (SELECT count(*) FROM "ConnectionSecret" n WHERE n."tokenId" = t.id AND n."createdAt" > ${hourAgo}) < ${2 * pairsAnHourMax}
      FOR SHARE OF t
    ), used AS (
      UPDATE "ConnectionSecret" s SET "usedAt" = coalesce(s."usedAt", ${now}) FROM held
      WHERE s."secretHash" = ${secretHash} AND (s."usedAt" IS NULL OR s."usedAt" > ${graceFrom})
      RETURNING held.*
    ), issued AS (
      INSERT INTO "ConnectionSecret" ("secretHash", "tokenId", kind, "createdAt", "expiresAt")
      SELECT n.hash, used.id, n.kind, ${now}, least(n.until, used."expiresAt") FROM used CROSS JOIN (VALUES
        (${pair.access.tokenHash}::bytea, 'access'::"SecretKind", ${pair.accessUntil}::timestamptz),
        (${pair.refresh.tokenHash}::bytea, 'refresh'::"SecretKind", ${pair.refreshUntil}::timestamptz)
      ) AS n (hash, kind, until)
    )
    SELECT ${carriedScopes(now)} AS scopes, permissions::text[] AS permissions, "expiresAt" FROM used t`;
  if (rotated !== undefined) return issuedOf(pair, rotated, now);
  throw await whyNotRefreshed(ctx, { secretHash, clientId, graceFrom });
}

interface NotRefreshed {
  secretHash: Uint8Array<ArrayBuffer>;
  clientId: string;
  graceFrom: Date;
}

async function whyNotRefreshed(ctx: Ctx, { secretHash, clientId, graceFrom }: NotRefreshed) {
  const { db, now } = ctx;
  const known = await db.connectionSecret.findUnique({
    where: {
      secretHash,
      kind: "refresh",
      expiresAt: { gt: now },
      token: { clientId, revokedAt: null },
    },
    select: { usedAt: true, token: { select: { id: true, profileId: true } } },
  });
  if (known === null) return invalidGrant();
  if (known.usedAt !== null && known.usedAt <= graceFrom) {
    await endConnection(ctx, known.token, "reused");
    return invalidGrant();
  }
  const since = new Date(now.getTime() - 60 * 60_000);
  const made = { tokenId: known.token.id, createdAt: { gt: since } };
  if ((await db.connectionSecret.count({ where: made })) < 2 * pairsAnHourMax)
    return invalidGrant();
  const resetAt = new Date(now.getTime() + 60 * 60_000);
  return tooManyActions({ limit: pairsAnHourMax, resetAt, now });
}

function invalidGrant(): OAuthError {
  return new OAuthError(
    "invalid_grant",
    "This code or refresh token is unknown, over, or another client's. Send the owner to authorize again.",
  );
}
