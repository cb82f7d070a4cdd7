import type { PoolClient } from "pg";
import type { Did } from "@/lib/protocol/did";
import { keepDenied, type SwitchedOff, switchedOff } from "../policies/own-rules";

/** The ids of the signing keys and connection tokens that were revoked. */
export interface RevokedCredentials {
  keys: string[];
  tokens: string[];
}

export interface RevokeInput {
  profile: { id: number; did: Did };
  now: Date;
}

/**
 * Revokes the active signing keys and connection tokens of a profile, and switches off the grants of those tokens;
 * what those deny stays denied. Part of a transaction that has locked the profile.
 */
export async function revokeCredentials(
  client: PoolClient,
  { profile: { id, did }, now }: RevokeInput,
): Promise<RevokedCredentials> {
  const keys = await client.query<{ id: string }>(
    `UPDATE "Key" SET slot = NULL, "revokedAt" = $2 WHERE did = $1 AND slot IS NOT NULL RETURNING id`,
    [did, now],
  );
  const tokens = await client.query<{ id: string }>(
    `UPDATE "ConnectionToken" SET "revokedAt" = $2
     WHERE "profileId" = $1 AND "revokedAt" IS NULL AND "expiresAt" > $2 RETURNING id`,
    [id, now],
  );
  const ids = { keys: keys.rows.map((key) => key.id), tokens: tokens.rows.map((one) => one.id) };
  const { rows: rules } = await client.query<SwitchedOff>(
    `UPDATE "Policy" p SET enabled = false, "updatedAt" = $2 FROM "ConnectionToken" t
     WHERE t.id = ANY($1) AND p.id = t."policyId" AND p.enabled RETURNING ${switchedOff}`,
    [ids.tokens, now],
  );
  await keepDenied(client, { profileId: id, now, rules });
  return ids;
}
