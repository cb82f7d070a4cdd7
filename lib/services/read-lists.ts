import type { Pool } from "pg";
import type { Ctx } from "./context";
import type { ProfileRow } from "./facts";

/** A text that is another one after every change of what the profile lists. See migration 0017. */
export const listsStampOf = (profileId: string) => `
  (SELECT coalesce(string_agg(s.stamp::text, ',' ORDER BY s.id), '')
   FROM "ListStamp" s WHERE s."profileId" = ${profileId})`;

/** Nothing for who asks for another state than this database shows. Null asks for whatever it shows. */
export const showsStamp = (listsStamp: string, profileId: string) =>
  `(${listsStamp} IS NULL OR ${listsStamp} = ${listsStampOf(profileId)})`;

export interface Stamped {
  listsStamp: string | null;
}

/**
 * Reads from the replica where it shows the very state of the lists that the primary told with the facts, in
 * the snapshot that answers; else from the primary.
 */
export async function readLists<Row>(
  { pool, replica }: Pick<Ctx, "pool" | "replica">,
  { listsStamp }: Pick<ProfileRow, "listsStamp">,
  read: (pool: Pool, asked: Stamped) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  // Where nothing was ever stamped, a database that knows nothing of it shows the same.
  const there = listsStamp === null || listsStamp === "" ? null : replica;
  const answer = await there?.ask((standby) => read(standby, { listsStamp }));
  return answer ?? read(pool, { listsStamp: null });
}
