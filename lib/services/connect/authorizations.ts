import { type Db, inBackgroundTransaction } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { redirectName } from "@/lib/oauth/redirects";
import type { RequestedScopes } from "@/lib/oauth/scopes";
import type { Did } from "@/lib/protocol/did";
import type { Scope } from "@/lib/protocol/scope";
import type { NamedAgent } from "../access/named-agent";
import { createSecretToken, hashSecretToken } from "../accounts/secret-token";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

export interface NewAuthorization extends RequestedScopes {
  clientId: string;
  redirectUri: string;
  state?: string;
  challenge: string;
  issuer: string;
}

const waitsMs = 15 * 60_000;

/** Keeps what a client asks for until an owner has answered; returns what its page is called. */
export async function beginAuthorization(
  { db, now }: Pick<Ctx, "db" | "now">,
  wanted: NewAuthorization,
): Promise<string> {
  const { token, tokenHash } = createSecretToken();
  const expiresAt = new Date(now.getTime() + waitsMs);
  const { scopes, ...row } = wanted;
  await db.authorization.create({
    data: { idHash: tokenHash, ...row, scopes: [...scopes], expiresAt },
    select: { expiresAt: true },
  });
  await db.client.updateMany({
    where: { id: row.clientId, lastUsedAt: { lt: now } },
    data: { lastUsedAt: now },
  });
  return token;
}

/** What waits for an answer of the owner who opened its page. */
export interface WaitingAuthorization {
  client: { id: string; name: string; agentDid: Did };
  redirectUri: string;
  issuer: string;
  scopes: Scope[];
  proposes: boolean;
  /** Who asks, by where the answer goes: a name can be anybody's. */
  goesTo: string;
}

export async function findAuthorization(
  { db, now }: Pick<Ctx, "db" | "now">,
  name: string,
): Promise<WaitingAuthorization | null> {
  const row = await db.authorization.findUnique({
    where: { idHash: hashSecretToken(name), decidedAt: null, expiresAt: { gt: now } },
    select: {
      redirectUri: true,
      issuer: true,
      scopes: true,
      proposes: true,
      client: { select: { id: true, name: true, agentDid: true } },
    },
  });
  return row && { ...row, goesTo: redirectName(row.redirectUri) };
}

/**
 * Another agent that goes by the same name: spaces, marks and capitals make no other one. What other owners connected
 * counts only once an admin has verified it.
 */
export function findNamesake(
  ctx: Ctx,
  { did, client: { name, agentDid } }: { did: string } & Pick<WaitingAuthorization, "client">,
): Promise<NamedAgent | null> {
  return withProfile(ctx, { verb: "editTokens", did }, async ({ profile }) => {
    const [other] = await ctx.db.$queryRaw<NamedAgent[]>`
      SELECT did, name, verified FROM "Agent" a WHERE state = 'active' AND did <> ${agentDid}
        AND ${plain(Prisma.sql`name`)} = ${plain(Prisma.sql`${name}::text`)}
        AND (verified OR origin <> 'client' OR EXISTS (
          SELECT FROM "ConnectionToken" t WHERE t."profileId" = ${profile.id} AND t."agentDid" = a.did))
      ORDER BY verified DESC, "createdAt", did LIMIT 1`;
    return other ?? null;
  });
}

// As the index has it.
const plain = (name: Prisma.Sql) =>
  Prisma.sql`lower(regexp_replace(normalize(${name}, NFKC), '[\\s[:punct:]\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff]', '', 'g'))`;

const sweptMax = 1_000;
/** After its end a code that comes again still ends what it gave. */
const decidedHours = 24;

/** Questions that nobody answered, and those that were answered long ago. */
export function sweepAuthorizations(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - decidedHours * 60 * 60_000);
  return inBackgroundTransaction(
    db,
    (tx) => tx.$executeRaw`DELETE FROM "Authorization" WHERE "idHash" = ANY(ARRAY(
      SELECT "idHash" FROM "Authorization"
      WHERE "expiresAt" <= ${now} AND ("decidedAt" IS NULL OR "expiresAt" <= ${before})
      ORDER BY "expiresAt" LIMIT ${sweptMax} FOR UPDATE SKIP LOCKED))`,
  );
}
