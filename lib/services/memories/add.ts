import { newId } from "@/lib/engine/random";
import type { Category } from "@/lib/protocol/scope";
import { refuseWithoutRoom } from "../categories";
import type { Ctx } from "../context";
import { changeProfile } from "../open-profile";

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
