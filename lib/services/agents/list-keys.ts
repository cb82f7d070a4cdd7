import type { Ctx } from "../context";
import { onProfile } from "../open-profile";

export interface OwnKey {
  id: string;
  publicKey: Buffer;
  label: string | null;
  createdAt: Date;
  revokedAt: Date | null;
}

const shownMax = 100;

/** The keys that sign as the owner of a profile: the active ones, then those that were revoked last. */
export async function listKeys(ctx: Ctx, { did }: { did: string }): Promise<OwnKey[]> {
  return onProfile(ctx, { verb: "editKeys", did }, async () => {
    const { rows } = await ctx.pool.query<OwnKey>(
      `SELECT id, "publicKey", label, "createdAt", "revokedAt" FROM "Key" WHERE did = $1
       ORDER BY slot, "revokedAt" DESC, id LIMIT $2`,
      [did, shownMax],
    );
    return rows;
  });
}
