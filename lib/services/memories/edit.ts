import type { Category } from "@/lib/protocol/scope";
import type { Ctx } from "../context";
import { type Change, type Changed, changeMemories, changeMemory, type Kept } from "./change";
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
  return changeMemory(ctx, { did, memoryId, seen, from: kept, to });
}

export const stateChanges = ["archive", "unarchive", "delete", "undelete"] as const;
export type StateChange = (typeof stateChanges)[number];

type Chosen = Pick<Change, "memoryId" | "seen">;

/** Hides a memory from agents, or shows it again. A deleted one can be restored until the purge. */
export async function changeMemoryState(
  ctx: Ctx,
  { did, how, ...memory }: Chosen & { did: string; how: StateChange },
): Promise<Changed | null> {
  const [changed = null] = await changeMemoryStates(ctx, { did, how, memories: [memory] });
  return changed;
}

/** Does the same with several, all of them or none. */
export function changeMemoryStates(
  ctx: Ctx,
  { did, how, memories }: { did: string; how: StateChange; memories: readonly Chosen[] },
): Promise<Changed[]> {
  const change = becomes[how](ctx.now);
  return changeMemories(
    ctx,
    did,
    memories.map((memory) => ({ ...memory, ...change })),
  );
}

/** Moves memories to another category, all of them or none. */
export function moveMemories(
  ctx: Ctx,
  { did, category, memories }: { did: string; category: Category; memories: readonly Chosen[] },
): Promise<Changed[]> {
  return changeMemories(
    ctx,
    did,
    memories.map((memory) => ({ ...memory, from: kept, to: { category } })),
  );
}

const becomes: Record<StateChange, (now: Date) => Pick<Change, "from" | "to" | "cause">> = {
  archive: (now) => ({ from: ["live"], to: { archivedAt: now }, cause: "archived" }),
  unarchive: () => ({ from: ["archived"], to: { archivedAt: null }, cause: "restored" }),
  delete: (now) => ({ from: kept, to: { deletedAt: now }, cause: "deleted" }),
  undelete: () => ({ from: ["deleted"], to: { deletedAt: null }, cause: "restored" }),
};
