import type { PoolClient } from "pg";
import type { RevisionCause } from "@/lib/engine/prisma-client/enums";
import { notFound, notNow } from "@/lib/protocol/errors";
import type { Category } from "@/lib/protocol/scope";
import { refuseWithoutRoom } from "../categories";
import type { Ctx } from "../context";
import { changeProfile } from "../open-profile";
import { type MemoryState, stateIs, stateOf } from "./shown";

/** What a revision keeps of a memory. */
export interface Kept {
  category: Category;
  content: string;
  confidence: number;
  archivedAt: Date | null;
  deletedAt: Date | null;
}

export interface Change {
  memoryId: string;
  /** The memory's `updatedAt` when the change was thought of: a later change of somebody else's stays. */
  seen?: Date;
  /** In which states it may be; any, unless said. */
  from?: readonly MemoryState[];
  to: Partial<Kept>;
  cause: RevisionCause;
}

export interface Changed {
  /** What it was before; restoring this takes the change back. */
  revisionId: string;
  before: Kept;
}

/** One change by the owner, with what was there before and one event. Null where it is so already. */
export function changeMemory(
  ctx: Ctx,
  { did, ...change }: Change & { did: string },
): Promise<Changed | null> {
  return changeFound(ctx, did, async () => change);
}

/** The same where what is to change has to be looked up first. */
export function changeFound(
  ctx: Ctx,
  did: string,
  find: (client: PoolClient, profileId: number) => Promise<Change>,
): Promise<Changed | null> {
  return changeProfile(ctx, { verb: "editMemories", did }, async (open) => {
    const { client } = open;
    const change = await find(client, open.profile.id);
    const changed = await writeChange(client, { ctx, profileId: open.profile.id, change });
    if (changed === null) return null;
    const from = changed.before.category;
    const { category = from } = change.to;
    await open.record({
      subjectId: change.memoryId,
      detail: { action: change.cause, category, ...(category === from ? {} : { from }) },
    });
    return changed;
  });
}

interface Writing {
  ctx: Ctx;
  profileId: number;
  change: Change;
}

/** The same within a transaction of another verb, which records it. */
export async function writeChange(
  client: PoolClient,
  { ctx, profileId, change }: Writing,
): Promise<Changed | null> {
  const { memoryId, seen, from, to, cause } = change;
  const byUserId = ctx.caller.kind === "person" ? ctx.caller.userId : null;
  const values: unknown[] = [memoryId, profileId, ctx.now, cause, byUserId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const changes = columns.filter(({ name }) => to[name] !== undefined);
  const differs = changes.map(
    ({ name, type }) => `m."${name}" IS DISTINCT FROM ${bind(to[name])}::${type}`,
  );
  const allowed = [`(${differs.join(" OR ")})`];
  if (seen !== undefined) allowed.push(`m."updatedAt" = ${bind(seen)}`);
  if (from !== undefined) allowed.push(`(${from.map((state) => stateIs[state]).join(" OR ")})`);
  // The lock is the decision: whoever finds the memory as expected keeps what it was and changes it.
  const { rows } = await client.query<Kept & { revisionId: string; at: Date }>(
    `INSERT INTO "MemoryRevision" ("memoryId", "createdAt", cause, "byUserId", ${names})
     SELECT m.id, greatest($3, m."updatedAt" + interval '1 ms'), $4::"RevisionCause", $5, ${names}
     FROM "Memory" m WHERE m.id = $1 AND m."profileId" = $2 AND ${allowed.join(" AND ")}
     FOR UPDATE
     RETURNING 'rev_' || id AS "revisionId", "createdAt" AS at, ${names}`,
    values,
  );
  const [row] = rows;
  if (row === undefined) return refuseOrLeave(client, { ctx, profileId, change });
  const { revisionId, at, ...before } = row;
  const after = { ...before, ...to };
  if (stateOf(after) === "live") {
    await refuseWithoutRoom(client, { profileId, category: after.category });
  }
  const sets = changes.map(({ name }, place) => `"${name}" = $${place + 3}`);
  await client.query(`UPDATE "Memory" SET "updatedAt" = $2, ${sets.join(", ")} WHERE id = $1`, [
    memoryId,
    at,
    ...changes.map(({ name }) => to[name]),
  ]);
  return { revisionId, before };
}

const columns = [
  { name: "category", type: "text" },
  { name: "content", type: "text" },
  { name: "confidence", type: "float8" },
  { name: "archivedAt", type: "timestamptz" },
  { name: "deletedAt", type: "timestamptz" },
] as const satisfies { name: keyof Kept; type: string }[];
const names = columns.map(({ name }) => `"${name}"`).join(", ");

async function refuseOrLeave(
  client: PoolClient,
  { profileId, change: { memoryId, seen, from } }: Writing,
): Promise<null> {
  const { rows } = await client.query<{ isExpected: boolean; isDeleted: boolean }>(
    `SELECT ($3::timestamptz IS NULL OR m."updatedAt" = $3) AND
       (${(from ?? []).map((state) => stateIs[state]).join(" OR ") || "true"}) AS "isExpected",
       m."deletedAt" IS NOT NULL AS "isDeleted"
     FROM "Memory" m WHERE m.id = $1 AND m."profileId" = $2`,
    [memoryId, profileId, seen],
  );
  const [memory] = rows;
  if (memory === undefined) throw notFound("memory");
  if (memory.isExpected) return null;
  throw notNow(
    memory.isDeleted
      ? "This memory was deleted after you opened it, so nothing was done. You can restore it from the deleted ones."
      : "This memory was changed after you opened it, so nothing was done and the newer state stays. What you typed is kept here: look at how the memory reads now, then save again.",
  );
}
