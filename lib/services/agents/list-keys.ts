import type { Ctx } from "../context";
import { onProfile } from "../open-profile";

export interface OwnKey {
  id: string;
  publicKey: Uint8Array;
  label: string | null;
  createdAt: Date;
  revokedAt: Date | null;
}

const shownMax = 100;

/** The keys that sign as the owner of a profile: the active ones, then those that were revoked last. */
export async function listKeys(ctx: Ctx, { did }: { did: string }): Promise<OwnKey[]> {
  return onProfile(ctx, { verb: "editKeys", did }, async () => {
    return ctx.db.key.findMany({
      where: { did },
      select: { id: true, publicKey: true, label: true, createdAt: true, revokedAt: true },
      orderBy: [{ slot: "asc" }, { revokedAt: "desc" }, { id: "asc" }],
      take: shownMax,
    });
  });
}
