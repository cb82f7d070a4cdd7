import type { Db, Pool } from "@/lib/engine/db";
import { verifyLog } from "../audit/verify-log";

const profilesAtOnce = 500;

/** Walks the sealed log of every profile, and returns the id of the first one that is not intact. */
export async function findBrokenLog(from: { db: Db; pool: Pool }): Promise<number | null> {
  let after = 0;
  for (;;) {
    const profiles = await from.db.profile.findMany({
      where: { id: { gt: after } },
      select: { id: true },
      orderBy: { id: "asc" },
      take: profilesAtOnce,
    });
    for (const { id } of profiles) {
      if (!(await verifyLog(from, id)).intact) return id;
    }
    const last = profiles.at(-1);
    if (last === undefined) return null;
    after = last.id;
  }
}
