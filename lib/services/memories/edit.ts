import type { Category } from "@/lib/protocol/scope";
import type { Ctx } from "../context";
import { type Changed, changeMemory } from "./change";
import type { MemoryState } from "./shown";

interface Asked {
  did: string;
  memoryId: string;
  /** Its `updatedAt` as the owner saw it. */
  seen: Date;
}

const kept: readonly MemoryState[] = ["live", "archived"];

export function editMemory(
  ctx: Ctx,
  { content, confidence, ...asked }: Asked & { content: string; confidence?: number },
): Promise<Changed | null> {
  return changeMemory(ctx, { ...asked, from: kept, to: { content, confidence }, cause: "edited" });
}

export function moveMemory(
  ctx: Ctx,
  { category, ...asked }: Asked & { category: Category },
): Promise<Changed | null> {
  return changeMemory(ctx, { ...asked, from: kept, to: { category }, cause: "moved" });
}

export type Shelving = "archive" | "unarchive" | "delete" | "undelete";

/** Out of what agents can read, and back. What is deleted stays restorable until the purge. */
export function shelveMemory(
  ctx: Ctx,
  { how, ...asked }: Partial<Asked> & Pick<Asked, "did" | "memoryId"> & { how: Shelving },
): Promise<Changed | null> {
  switch (how) {
    case "archive":
      return changeMemory(ctx, {
        ...asked,
        from: ["live"],
        to: { archivedAt: ctx.now },
        cause: "archived",
      });
    case "unarchive":
      return changeMemory(ctx, {
        ...asked,
        from: ["archived"],
        to: { archivedAt: null },
        cause: "restored",
      });
    case "delete":
      return changeMemory(ctx, {
        ...asked,
        from: kept,
        to: { deletedAt: ctx.now },
        cause: "deleted",
      });
    case "undelete":
      return changeMemory(ctx, {
        ...asked,
        from: ["deleted"],
        to: { deletedAt: null },
        cause: "restored",
      });
  }
}
