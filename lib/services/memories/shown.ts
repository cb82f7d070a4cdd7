import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Approver, MemorySource, RevisionCause } from "@/lib/engine/prisma-client/enums";
import type { Category } from "@/lib/protocol/scope";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import { reviewerName } from "../reviewers/reviewers-of";

/** A memory as its owner sees it. */
export interface ShownMemory {
  id: string;
  category: Category;
  content: string;
  confidence: number;
  source: MemorySource;
  /** The agent that proposed it. */
  agent: NamedAgent | null;
  proposedAt: Date | null;
  /** Who approved it; an owner's own is approved by them. */
  approvedBy: Approver;
  /** The name of the reviewer who did; null where their account is gone. */
  reviewer: string | null;
  createdAt: Date;
  updatedAt: Date;
  archivedAt: Date | null;
  deletedAt: Date | null;
  /** The last change, made at `updatedAt`. */
  lastChange: RevisionCause | null;
}

export const memoryStates = ["live", "archived", "deleted"] as const;
export type MemoryState = (typeof memoryStates)[number];

export function stateOf({
  archivedAt,
  deletedAt,
}: Record<"archivedAt" | "deletedAt", Date | string | null>): MemoryState {
  if (deletedAt !== null) return "deleted";
  return archivedAt === null ? "live" : "archived";
}

/** The condition of a state on `"Memory" m`. */
export const stateIs: Record<MemoryState, Prisma.Sql> = {
  live: Prisma.sql`(m."archivedAt" IS NULL AND m."deletedAt" IS NULL)`,
  archived: Prisma.sql`(m."archivedAt" IS NOT NULL AND m."deletedAt" IS NULL)`,
  deleted: Prisma.sql`(m."deletedAt" IS NOT NULL)`,
};

/** The columns of a ShownMemory from `"Memory" m` with `shownJoins`. */
export const shownColumns = Prisma.sql`m.id, m.category, m.content, m.confidence, m.source, m."createdAt",
  m."updatedAt", m."archivedAt", m."deletedAt", p."proposedAt", m."approvedBy",
  ${reviewerName} AS reviewer,
  CASE WHEN m."agentDid" IS NOT NULL THEN ${namedAgent("m")} END AS agent,
  (SELECT r.cause FROM "MemoryRevision" r WHERE r."memoryId" = m.id
   ORDER BY r.id DESC LIMIT 1) AS "lastChange"`;

export const shownJoins = Prisma.sql`LEFT JOIN "Agent" a ON a.did = m."agentDid"
  LEFT JOIN "Proposal" p ON p.id = m."proposalId"`;
