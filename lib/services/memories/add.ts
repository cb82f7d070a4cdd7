import { newId } from "@/lib/engine/random";
import { notFound, notNow } from "@/lib/protocol/errors";
import type { Category } from "@/lib/protocol/scope";
import { refuseWithoutRoom } from "../categories";
import type { Ctx } from "../context";
import { changeProfile } from "../open-profile";
import { changeFound } from "./change";

export interface Addition {
  did: string;
  category: Category;
  content: string;
  confidence: number;
}

/** What the owner writes down themselves. */
export async function addMemory(
  ctx: Ctx,
  { did, category, content, confidence }: Addition,
): Promise<{ memoryId: string }> {
  return changeProfile(ctx, { verb: "editMemories", did }, async (open) => {
    const { client } = open;
    const profileId = open.profile.id;
    await refuseWithoutRoom(client, { profileId, category });
    const memoryId = newId("mem");
    await client.query(
      `INSERT INTO "Memory" (id, "profileId", category, content, confidence, source,
           "createdAt", "updatedAt")
         VALUES ($1, $2, $3, $4, $5, 'owner', $6, $6)`,
      [memoryId, profileId, category, content, confidence, ctx.now],
    );
    await open.record({ subjectId: memoryId, detail: { action: "added", category } });
    return { memoryId };
  });
}

/** Undo: deletes an added memory, unless it was changed since. */
export async function undoAddition(
  ctx: Ctx,
  { did, memoryId }: { did: string; memoryId: string },
): Promise<void> {
  await changeFound(ctx, did, async (client, profileId) => {
    const { rows } = await client.query<{ isChanged: boolean }>(
      `SELECT "updatedAt" <> "createdAt" AS "isChanged" FROM "Memory"
       WHERE id = $1 AND "profileId" = $2 FOR UPDATE`,
      [memoryId, profileId],
    );
    const [memory] = rows;
    if (memory === undefined) throw notFound("memory");
    if (memory.isChanged) throw notNow(changed);
    return { memoryId, to: { deletedAt: ctx.now }, cause: "deleted" };
  });
}

const changed =
  "You changed this memory after you added it, so it is kept as it is now. Delete it under Memories if you do not want it.";
