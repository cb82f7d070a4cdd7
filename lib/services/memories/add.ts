import { newId } from "@/lib/engine/random";
import { notFound, notNow } from "@/lib/protocol/errors";
import type { Category } from "@/lib/protocol/scope";
import { refuseWithoutRoom } from "../categories";
import { readMemory } from "../claims/read-memory";
import type { Ctx } from "../context";
import { changeProfile } from "../profile-gate";
import { changeFound } from "./change";

export interface Addition {
  did: string;
  category: Category;
  content: string;
  confidence: number;
}

/** Adds a memory that the owner writes. */
export async function addMemory(
  ctx: Ctx,
  { did, category, content, confidence }: Addition,
): Promise<{ memoryId: string }> {
  return changeProfile(ctx, { verb: "editMemories", did }, async (open) => {
    const { tx } = open;
    const profileId = open.profile.id;
    await refuseWithoutRoom(tx, { profileId, category });
    const memoryId = newId("mem");
    const memory = { id: memoryId, profileId, category, content, confidence };
    const read = await readMemory(tx, profileId, content);
    const times = { createdAt: ctx.now, updatedAt: ctx.now };
    await tx.memory.create({
      data: { ...memory, ...read, ...times, source: "owner" },
      select: { id: true },
    });
    await open.record({ subjectId: memoryId, detail: { action: "added", category } });
    return { memoryId };
  });
}

/** Undo: deletes an added memory, unless it was changed since. */
export async function undoAddition(
  ctx: Ctx,
  { did, memoryId }: { did: string; memoryId: string },
): Promise<void> {
  await changeFound(ctx, did, async (tx, profileId) => {
    const rows = await tx.$queryRaw<
      { isChanged: boolean }[]
    >`SELECT "updatedAt" <> "createdAt" AS "isChanged" FROM "Memory"
       WHERE id = ${memoryId} AND "profileId" = ${profileId} FOR UPDATE`;
    const [memory] = rows;
    if (memory === undefined) throw notFound("memory");
    if (memory.isChanged) throw notNow(changed);
    return [{ memoryId, to: { deletedAt: ctx.now }, cause: "deleted" }];
  });
}

const changed =
  "You changed this memory after you added it, so it is kept as it is now. Delete it under Memories if you do not want it.";
