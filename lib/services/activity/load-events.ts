import type { Pool } from "@/lib/engine/db";
import { type Chunk, chunkSql, readChunk } from "@/lib/engine/load/chunks";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";
import { agentName, type NamedAgent } from "../access/named-agent";
import type { ActivityEvent } from "./activity-event";
import { type ActivityFilter, matching } from "./matching";

export interface ActivityPlace {
  at: Date;
  id: string;
}

export interface EventsQuery extends ActivityFilter {
  /** The event after which to go on. */
  after?: ActivityPlace;
  limit: number;
}

/** An event with its place in the chain, for verification. */
export interface SealedEvent extends ActivityEvent {
  profileId: number;
  /** As the event itself has it; `purposeType` may be that of its one receipt. */
  storedPurpose: string | null;
  position: string | null;
  hash: Buffer | null;
  hashBefore: Buffer | null;
}

type Order = "newest" | "oldest";

/** Finds events by the index alone, then loads as many as make a chunk. */
export async function loadEvents(
  pool: Pool,
  { profileId, order, ...input }: EventsQuery & { profileId: number; order: Order },
): Promise<Chunk<SealedEvent>> {
  const { rows, isCut } = await readChunk<Row>(pool, eventsSql(profileId, { order, ...input }));
  return { rows: rows.map(eventOf), isCut };
}

type Row = Omit<SealedEvent, "agent" | "about"> & {
  actorId: Did;
  agentName: string | null;
  agentVerified: boolean | null;
  aboutDid: Did | null;
  aboutName: string | null;
  aboutVerified: boolean | null;
};

function eventOf(row: Row): SealedEvent {
  const { agentName, agentVerified, aboutDid, aboutName, aboutVerified, ...event } = row;
  return {
    ...event,
    purposeType: isOfOneReceipt(event) ? event.purposeType : event.storedPurpose,
    agent: event.actor === "agent" ? named(event.actorId, agentName, agentVerified) : null,
    about: aboutDid === null ? null : named(aboutDid, aboutName, aboutVerified),
  };
}

// What a read rests on besides has another purpose, or none.
function isOfOneReceipt({ reasons, receiptId }: Pick<Row, "reasons" | "receiptId">): boolean {
  return Object.values(reasons)
    .filter(({ rule }) => rule === "allow" || rule === "allow_for_purpose")
    .every((reason) => reason.receiptId === receiptId);
}

function named(did: Did, name: string | null, verified: boolean | null): NamedAgent {
  return { did, name, verified: verified ?? false };
}

const orders = {
  newest: { beyond: Prisma.sql`<`, way: Prisma.sql`DESC` },
  oldest: { beyond: Prisma.sql`>`, way: Prisma.sql`ASC` },
};

// Receipt, seal and proposal are looked up row by row: as joins they took longer to plan than to read.
function eventsSql(
  profileId: number,
  { order, after, limit, ...filter }: EventsQuery & { order: Order },
): Prisma.Sql {
  const { beyond, way } = orders[order];
  const isAfter = after
    ? Prisma.sql`(e.at, e.id) ${beyond} (${after.at}, ${after.id})`
    : Prisma.sql`true`;
  const rows = Prisma.sql`
    WITH page AS (
      SELECT e.at, e.id FROM "AccessEvent" e
      WHERE ${matching(profileId, filter)} AND ${isAfter}
      ORDER BY e.at ${way}, e.id ${way} LIMIT ${limit})
    SELECT e.id, e."profileId", e.at, e.actor, e."actorId", e.verb, e.outcome, e.asked, e.granted,
      e.denied, e.items, e.reasons,
      coalesce(e."purposeType", (SELECT r."purposeType" FROM "Receipt" r
        WHERE r.id = e."receiptId" AND r."profileId" = e."profileId")) AS "purposeType",
      e."purposeType" AS "storedPurpose",
      e."receiptId", e."subjectId", e.detail, e."requestId", e.position, e.hash,
      coalesce(b.hash, (SELECT s.hash FROM "Seal" s
        WHERE s."profileId" = e."profileId" AND s.position = e.position - 1)) AS "hashBefore",
      a.name AS "agentName", a.verified AS "agentVerified",
      o.did AS "aboutDid", ${agentName("oa", Prisma.sql`o.did`)} AS "aboutName", oa.verified AS "aboutVerified",
      CASE WHEN e.actor = 'reviewer' THEN (SELECT coalesce(u.name, u.email) FROM "User" u WHERE u.id = e."actorId") END AS reviewer
    FROM page JOIN "AccessEvent" e ON e.id = page.id AND e.at = page.at
    LEFT JOIN "AccessEvent" b ON b."profileId" = e."profileId" AND b.position = e.position - 1
    LEFT JOIN "Agent" a ON a.did = e."actorId"
    CROSS JOIN LATERAL (SELECT CASE WHEN e.actor <> 'agent' THEN coalesce(e.detail->>'agentDid',
      CASE WHEN e."subjectId" LIKE 'did:prof:agent:%' THEN e."subjectId" END,
      (SELECT p."agentDid" FROM "Proposal" p
       WHERE p.id = e."subjectId" AND p."profileId" = e."profileId")) END AS did) o
    LEFT JOIN "Agent" oa ON oa.did = o.did`;
  return chunkSql({ rows, order: Prisma.sql`at ${way}, id ${way}` });
}
