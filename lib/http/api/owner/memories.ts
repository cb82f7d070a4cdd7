import { z } from "zod";
import { Did } from "@/lib/protocol/did";
import { notFound } from "@/lib/protocol/errors";
import { limit, single } from "@/lib/protocol/requests";
import { Confidence, Content, Timestamp, text } from "@/lib/protocol/resources";
import { Category } from "@/lib/protocol/scope";
import { addMemory } from "@/lib/services/memories/add";
import { browseMemories } from "@/lib/services/memories/browse";
import { changeMemoryState, editMemory } from "@/lib/services/memories/edit";
import { readMemory } from "@/lib/services/memories/read";
import { restoreRevision } from "@/lib/services/memories/restore";
import { type ShownMemory, stateOf } from "@/lib/services/memories/shown";
import { formatCursor, parseCursor } from "../../session/address/cursor";
import { endpoint, NextMeta, PageQuery } from "../endpoint";
import { Agent, SometimesAt } from "../shapes";

const MemoryState = z.enum(["live", "archived", "deleted"]);

const Memory = z.object({
  id: z.string(),
  category: Category,
  content: z.string(),
  confidence: Confidence,
  source: z.enum(["owner", "agent", "imported"]),
  agent: Agent.nullable().describe("Who proposed it."),
  state: MemoryState,
  createdAt: Timestamp,
  updatedAt: Timestamp.describe("Goes along with a change, so that nobody's later one is lost."),
  archivedAt: SometimesAt,
  deletedAt: SometimesAt,
});

const Changed = z.object({
  id: z.string(),
  revisionId: z
    .string()
    .nullable()
    .describe("What the memory was before; null where there was nothing to change."),
});

const Written = z.object({ category: Category, content: Content, confidence: Confidence });
export const NewMemory = Written.extend({ confidence: Confidence.default(1) });
export const MemoryEdit = Written.partial();

const MemoryChange = z
  .object({
    updatedAt: Timestamp.describe("As you last read it."),
    content: Content.optional(),
    confidence: Confidence.optional().describe("Together with content only."),
    category: Category.optional(),
    archived: z.boolean().optional().describe("Agents read nothing that is archived."),
  })
  .refine(
    ({ content, category, archived }) =>
      [content, category, archived].filter((one) => one !== undefined).length === 1,
    { path: ["content"], message: "One of content, category and archived, and no more." },
  )
  .meta({
    examples: [{ updatedAt: "2030-01-31T12:00:00.000Z", content: "Prefers aisle seats." }],
  });

export const memoryEndpoints = {
  listMemories: endpoint(
    "GET /api/profiles/{did}/memories",
    {
      summary: "List or search what is remembered.",
      query: PageQuery.extend({
        search: single()
          .pipe(text({ min: 1, max: 200 }))
          .optional()
          .describe("Words, or parts."),
        category: single().pipe(Category).optional().describe("This category and all below it."),
        source: single()
          .pipe(z.union([z.enum(["owner", "imported"]), Did]))
          .optional()
          .describe("Where it came from: `owner`, `imported`, or the DID of an agent."),
        state: single().pipe(MemoryState).default("live"),
        sort: single()
          .pipe(z.enum(["newest", "oldest", "changed"]))
          .default("newest"),
      }),
      data: z.array(Memory),
      meta: NextMeta,
    },
    async ({ ctx, params: { did }, query: { cursor, ...query } }) => {
      const { memories, next } = await browseMemories(ctx, {
        did,
        after: parseCursor(cursor),
        ...query,
      });
      const data = memories.map(memoryOf);
      return { data, meta: { count: data.length, next: formatCursor(next) } };
    },
  ),
  addMemory: endpoint(
    "POST /api/profiles/{did}/memories",
    {
      summary: "Write down a memory yourself.",
      body: NewMemory.meta({
        examples: [{ category: "prof:interests", content: "Plays chess on Sundays." }],
      }),
      data: z.object({ id: z.string() }),
      status: 201,
    },
    async ({ ctx, params: { did }, body }) => {
      const { memoryId } = await addMemory(ctx, { did, ...body });
      return { data: { id: memoryId } };
    },
  ),
  readMemory: endpoint(
    "GET /api/profiles/{did}/memories/{memoryId}",
    {
      summary: "Read a memory with its history, newest change first.",
      query: z.object({
        limit: limit(50),
        cursor: single()
          .regex(/^rev_\d{1,18}$/)
          .optional()
          .describe("`meta.next` of the page before."),
      }),
      data: Memory.extend({
        history: z.array(
          z.object({
            revisionId: z.string(),
            cause: z.string(),
            at: Timestamp,
            byOwner: z.boolean(),
            before: z.object({ category: Category, content: z.string(), confidence: Confidence }),
          }),
        ),
      }),
      meta: NextMeta,
    },
    async ({ ctx, params, query: { limit, cursor: after } }) => {
      const found = await readMemory(ctx, { ...params, limit, after });
      if (found === null) throw notFound("memory");
      const { memory, history, next } = found;
      const changes = history.map(({ revisionId, cause, at, byOwner, before }) => {
        const { category, content, confidence } = before;
        return { revisionId, cause, at, byOwner, before: { category, content, confidence } };
      });
      return {
        data: { ...memoryOf(memory), history: changes },
        meta: { count: changes.length, next },
      };
    },
  ),
  changeMemory: endpoint(
    "PATCH /api/profiles/{did}/memories/{memoryId}",
    {
      summary: "Edit, move, archive or bring back a memory.",
      body: MemoryChange,
      data: Changed,
    },
    async ({ ctx, params, body: { updatedAt, archived, ...edit } }) => {
      const input = { ...params, seen: new Date(updatedAt) };
      const changed =
        archived === undefined
          ? await editMemory(ctx, { ...input, ...edit })
          : await changeMemoryState(ctx, { ...input, how: archived ? "archive" : "unarchive" });
      return { data: changedOf(params.memoryId, changed) };
    },
  ),
  deleteMemory: endpoint(
    "DELETE /api/profiles/{did}/memories/{memoryId}",
    {
      summary: "Delete a memory; it can be restored for a while.",
      data: Changed,
    },
    async ({ ctx, params }) => ({
      data: changedOf(params.memoryId, await changeMemoryState(ctx, { ...params, how: "delete" })),
    }),
  ),
  undeleteMemory: endpoint(
    "POST /api/profiles/{did}/memories/{memoryId}/restore",
    {
      summary: "Restore a deleted memory.",
      data: Changed,
    },
    async ({ ctx, params }) => {
      const changed = await changeMemoryState(ctx, { ...params, how: "undelete" });
      return { data: changedOf(params.memoryId, changed) };
    },
  ),
  restoreRevision: endpoint(
    "POST /api/profiles/{did}/revisions/{revisionId}/restore",
    {
      summary: "Take back a change of a memory, where nothing has changed it since.",
      data: z.object({ revisionId: Changed.shape.revisionId }),
    },
    async ({ ctx, params }) => {
      const changed = await restoreRevision(ctx, params);
      return { data: { revisionId: changed?.revisionId ?? null } };
    },
  ),
};

type Revised = NonNullable<Awaited<ReturnType<typeof changeMemoryState>>>;

function changedOf(id: string, changed: Revised | null) {
  return { id, revisionId: changed?.revisionId ?? null };
}

function memoryOf(memory: ShownMemory) {
  const { id, category, content, confidence, source, agent } = memory;
  const { createdAt, updatedAt, archivedAt, deletedAt } = memory;
  const said = { id, category, content, confidence, source, agent, state: stateOf(memory) };
  return { ...said, createdAt, updatedAt, archivedAt, deletedAt };
}
