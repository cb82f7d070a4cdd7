import type { Db, Pool } from "@/lib/engine/db";
import { verifyLog } from "../audit/verify-log";

const profilesAtOnce = 500;
// One is read while another is hashed.
const walksAtOnce = 4;

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
    for (let at = 0; at < profiles.length; at += walksAtOnce) {
      const ids = profiles.slice(at, at + walksAtOnce).map(({ id }) => id);
      const logs = await Promise.all(ids.map((id) => verifyLog(from, id)));
      const broken = ids.find((_id, index) => !logs[index]?.intact);
      if (broken !== undefined) return broken;
    }
    const last = profiles.at(-1);
    if (last === undefined) return null;
    after = last.id;
  }
}
