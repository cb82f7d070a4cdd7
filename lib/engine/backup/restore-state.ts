import type { ClientBase, Pool } from "pg";
import { z } from "zod";

// The comment of a database that a restore put in place: which one was there before, and whether it proved to work.
// Without another database, what was there is in the file of the restore point; null where nothing was.
const Comment = z.object({
  before: z.string().nullable(),
  confirmed: z.boolean(),
  restorePoint: z.string().nullish(),
});
export type RestoreState = z.output<typeof Comment>;

export type Queryable = Pick<ClientBase, "query"> | Pick<Pool, "query">;

/** Returns null where no restore has made this database. */
export async function readState(client: Queryable, name: string): Promise<RestoreState | null> {
  const { rows } = await client.query<{ comment: string | null }>(
    "SELECT shobj_description(oid, 'pg_database') AS comment FROM pg_database WHERE datname = $1",
    [name],
  );
  const comment = rows[0]?.comment;
  // An administrator may have written another comment.
  if (!comment?.startsWith('{"before":')) return null;
  return Comment.parse(JSON.parse(comment));
}

/** Whether a restore that has not ended made the database of this connection. */
export async function isUnconfirmed(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ name: string }>("SELECT current_database() AS name");
  return (await readState(client, rows[0]?.name ?? ""))?.confirmed === false;
}
