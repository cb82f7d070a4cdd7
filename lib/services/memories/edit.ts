import type { Ctx } from "../context";
import { type Changed, changeMemory, type Kept } from "./change";
import type { MemoryState } from "./shown";

interface Input {
  did: string;
  memoryId: string;
  /** Its `updatedAt` as the owner saw it. */
  seen: Date;
}

const kept: readonly MemoryState[] = ["live", "archived"];

/** What the owner can write; another category moves the memory. */
export type Edit = Partial<Omit<Kept, "archivedAt" | "deletedAt">>;

export function editMemory(
  ctx: Ctx,
  { did, memoryId, seen, ...to }: Input & Edit,
): Promise<Changed | null> {
  const cause = to.category === undefined ? "edited" : "moved";
  return changeMemory(ctx, { did, memoryId, seen, from: kept, to, cause });
}

export type StateChange = "archive" | "unarchive" | "delete" | "undelete";

/** Hides a memory from agents, or shows it again. A deleted one can be restored until the purge. */
export function changeMemoryState(
  ctx: Ctx,
  { how, ...input }: Partial<Input> & Pick<Input, "did" | "memoryId"> & { how: StateChange },
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
