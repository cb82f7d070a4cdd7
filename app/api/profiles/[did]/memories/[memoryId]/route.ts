import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { notFound } from "@/lib/protocol/errors";
import type { Changed } from "@/lib/services/memories/change";
import { editMemory, moveMemory, shelveMemory } from "@/lib/services/memories/edit";
import { readMemory } from "@/lib/services/memories/read";
import { memoryOf } from "../memory-of";

export const GET = sessionRoute(
  sessionEndpoints.readMemory,
  async ({ ctx, params, query: { limit, cursor: after } }) => {
    const found = await readMemory(ctx, { ...params, limit, after });
    if (found === null) throw notFound("memory");
    const { memory, history, next } = found;
    const told = history.map(({ revisionId, cause, at, byOwner, before }) => {
      const { category, content, confidence } = before;
      return { revisionId, cause, at, byOwner, before: { category, content, confidence } };
    });
    return {
      data: { ...memoryOf(memory), history: told },
      meta: { count: told.length, next },
    };
  },
);

export const PATCH = sessionRoute(
  sessionEndpoints.changeMemory,
  async ({ ctx, params, body: { updatedAt, content, confidence, category, archived } }) => {
    const asked = { ...params, seen: new Date(updatedAt) };
    const told = (changed: Changed | null) => ({ data: changedOf(params.memoryId, changed) });
    if (content !== undefined)
      return told(await editMemory(ctx, { ...asked, content, confidence }));
    if (category !== undefined) return told(await moveMemory(ctx, { ...asked, category }));
    const how = archived ? "archive" : "unarchive";
    return told(await shelveMemory(ctx, { ...asked, how }));
  },
);

export const DELETE = sessionRoute(sessionEndpoints.deleteMemory, async ({ ctx, params }) => ({
  data: changedOf(params.memoryId, await shelveMemory(ctx, { ...params, how: "delete" })),
}));

function changedOf(id: string, changed: Changed | null) {
  return { id, revisionId: changed?.revisionId ?? null };
}
