import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

export interface OwnKey {
  id: string;
  publicKey: Uint8Array;
  label: string | null;
  createdAt: Date;
  revokedAt: Date | null;
}

const shownMax = 100;

/** Returns the keys that sign as the owner of a profile: first the active ones, then the latest revoked ones. */
export async function listKeys(ctx: Ctx, { did }: { did: string }): Promise<OwnKey[]> {
  return withProfile(ctx, { verb: "editKeys", did }, async () => {
    return ctx.db.key.findMany({
      where: { did },
      select: { id: true, publicKey: true, label: true, createdAt: true, revokedAt: true },
      orderBy: [{ slot: "asc" }, { revokedAt: "desc" }, { id: "asc" }],
      take: shownMax,
    });
  });
}
