import type { Category } from "@/lib/protocol/scope";
import type { Ctx } from "../context";
import { type Changed, changeMemory } from "./change";
import type { MemoryState } from "./shown";

interface Input {
  did: string;
  memoryId: string;
  /** Its `updatedAt` as the owner saw it. */
  seen: Date;
}

const kept: readonly MemoryState[] = ["live", "archived"];

export function editMemory(
  ctx: Ctx,
  { content, confidence, ...input }: Input & { content: string; confidence?: number },
): Promise<Changed | null> {
  return changeMemory(ctx, { ...input, from: kept, to: { content, confidence }, cause: "edited" });
}

export function moveMemory(
  ctx: Ctx,
  { category, ...input }: Input & { category: Category },
): Promise<Changed | null> {
  return changeMemory(ctx, { ...input, from: kept, to: { category }, cause: "moved" });
}

export type Shelving = "archive" | "unarchive" | "delete" | "undelete";

/** Out of what agents can read, and back. What is deleted stays restorable until the purge. */
export function shelveMemory(
  ctx: Ctx,
  { how, ...input }: Partial<Input> & Pick<Input, "did" | "memoryId"> & { how: Shelving },
): Promise<Changed | null> {
  switch (how) {
    case "archive":
      return changeMemory(ctx, {
        ...input,
        from: ["live"],
        to: { archivedAt: ctx.now },
        cause: "archived",
      });
    case "unarchive":
      return changeMemory(ctx, {
        ...input,
        from: ["archived"],
        to: { archivedAt: null },
        cause: "restored",
      });
    case "delete":
      return changeMemory(ctx, {
        ...input,
        from: kept,
        to: { deletedAt: ctx.now },
        cause: "deleted",
      });
    case "undelete":
      return changeMemory(ctx, {
        ...input,
        from: ["deleted"],
        to: { deletedAt: null },
        cause: "restored",
      });
  }
}
