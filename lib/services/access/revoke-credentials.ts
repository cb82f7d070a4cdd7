import type { Tx } from "@/lib/engine/db";
import type { Did } from "@/lib/protocol/did";
import { keepDenied, switchOff } from "../policies/own-rules";

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
 * Revokes a profile's signing keys and connection tokens, and switches off the tokens' grants; their denials
 * stay. Part of a transaction that has locked the profile.
 */
export async function revokeCredentials(
  tx: Tx,
  { profile: { id, did }, now }: RevokeInput,
): Promise<RevokedCredentials> {
  const keys = await tx.key.updateManyAndReturn({
    where: { did, slot: { not: null } },
    data: { slot: null, revokedAt: now },
    select: { id: true },
  });
  const tokens = await tx.connectionToken.updateManyAndReturn({
    where: { profileId: id, revokedAt: null, expiresAt: { gt: now } },
    data: { revokedAt: now },
    select: { id: true },
  });
  const ids = { keys: keys.map((key) => key.id), tokens: tokens.map((one) => one.id) };
  const rules = await switchOff(tx, { tokens: { some: { id: { in: ids.tokens } } }, now });
  await keepDenied(tx, { profileId: id, now, rules });
  return ids;
}
