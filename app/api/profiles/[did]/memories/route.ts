import { cursorOf, placeOf } from "@/lib/http/session/cursor";
import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { addMemory } from "@/lib/services/memories/add";
import { browseMemories } from "@/lib/services/memories/browse";
import { memoryOf } from "./memory-of";

export const GET = sessionRoute(
  sessionEndpoints.listMemories,
  async ({ ctx, params: { did }, query: { cursor, ...query } }) => {
    const { memories, next } = await browseMemories(ctx, { did, after: placeOf(cursor), ...query });
    const data = memories.map(memoryOf);
    return { data, meta: { count: data.length, next: cursorOf(next) } };
  },
);

export const POST = sessionRoute(
  sessionEndpoints.addMemory,
  async ({ ctx, params: { did }, body }) => {
    const { memoryId } = await addMemory(ctx, { did, ...body });
    return { data: { id: memoryId } };
  },
);
