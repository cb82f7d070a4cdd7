import { z } from "zod";
import { Did } from "@/lib/protocol/did";
import { Empty, limit, ProfileParams, single } from "@/lib/protocol/requests";
import { Confidence, Content, Timestamp, text } from "@/lib/protocol/resources";
import { Category } from "@/lib/protocol/scope";
import { NextMeta, PageQuery, paramsWith, type SessionEndpoint } from "./endpoint";
import { Agent, SometimesAt } from "./shapes";

const MemoryParams = paramsWith("memoryId", "mem");
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
  listMemories: {
    name: "listMemories",
    summary: "List or search what is remembered.",
    method: "GET",
    path: "/api/profiles/{did}/memories",
    params: ProfileParams,
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
    body: null,
    data: z.array(Memory),
    meta: NextMeta,
    status: 200,
  },
  addMemory: {
    name: "addMemory",
    summary: "Write down a memory yourself.",
    method: "POST",
    path: "/api/profiles/{did}/memories",
    params: ProfileParams,
    query: Empty,
    body: z
      .object({ category: Category, content: Content, confidence: Confidence.default(1) })
      .meta({
        examples: [{ category: "prof:interests", content: "Plays chess on Sundays." }],
      }),
    data: z.object({ id: z.string() }),
    meta: Empty,
    status: 201,
  },
  readMemory: {
    name: "readMemory",
    summary: "Read a memory with its history, newest change first.",
    method: "GET",
    path: "/api/profiles/{did}/memories/{memoryId}",
    params: MemoryParams,
    query: z.object({
      limit: limit(50),
      cursor: single()
        .regex(/^rev_\d{1,18}$/)
        .optional()
        .describe("`meta.next` of the page before."),
    }),
    body: null,
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
    status: 200,
  },
  changeMemory: {
    name: "changeMemory",
    summary: "Edit, move, archive or bring back a memory.",
    method: "PATCH",
    path: "/api/profiles/{did}/memories/{memoryId}",
    params: MemoryParams,
    query: Empty,
    body: MemoryChange,
    data: Changed,
    meta: Empty,
    status: 200,
  },
  deleteMemory: {
    name: "deleteMemory",
    summary: "Delete a memory; it can be restored for a while.",
    method: "DELETE",
    path: "/api/profiles/{did}/memories/{memoryId}",
    params: MemoryParams,
    query: Empty,
    body: null,
    data: Changed,
    meta: Empty,
    status: 200,
  },
  undeleteMemory: {
    name: "undeleteMemory",
    summary: "Restore a deleted memory.",
    method: "POST",
    path: "/api/profiles/{did}/memories/{memoryId}/restore",
    params: MemoryParams,
    query: Empty,
    body: null,
    data: Changed,
    meta: Empty,
    status: 200,
  },
  restoreRevision: {
    name: "restoreRevision",
    summary: "Take back a change of a memory, where nothing has changed it since.",
    method: "POST",
    path: "/api/profiles/{did}/revisions/{revisionId}/restore",
    params: paramsWith("revisionId", "rev"),
    query: Empty,
    body: null,
    data: z.object({ revisionId: Changed.shape.revisionId }),
    meta: Empty,
    status: 200,
  },
} as const satisfies Record<string, SessionEndpoint>;
