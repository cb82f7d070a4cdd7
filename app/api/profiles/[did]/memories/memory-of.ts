import { type ShownMemory, stateOf } from "@/lib/services/memories/shown";

/** A memory as the dashboard's API tells of it. */
export function memoryOf(memory: ShownMemory) {
  const { id, category, content, confidence, source, agent } = memory;
  const { createdAt, updatedAt, archivedAt, deletedAt } = memory;
  const said = { id, category, content, confidence, source, agent, state: stateOf(memory) };
  return { ...said, createdAt, updatedAt, archivedAt, deletedAt };
}
