import { pieceOf } from "@/lib/engine/load/piece";
import type { ArchiveList } from "@/lib/protocol/archive/profile-archive";

// A page of each list of an archive: what comes after a place, in the order of an index. $1 is the
// profile, $2 and $3 the last item's place, $4 how many at most, $5 when the export began. `place` is what the next page
// starts from. Named values have no time at which they were made.

export interface PageStatement {
  text: string;
  /** By the profile's DID instead of its id. */
  byDid?: boolean;
  rowsMax: number;
}

const instant = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// A time that is yet to come was brought by an import: its row is no newer than that.
const existed = (at: string) => `(${at} <= $5 OR ${at} > clock_timestamp())`;

function pageOf({ table, columns, at, where = `"profileId" = $1`, rowsMax = 500 }: Paged) {
  return {
    text: pieceOf({
      rows: `SELECT json_build_array(${instant(at)}, t.id) AS place, json_build_object(${columns
        .map((column) => `'${column.name}', ${column.sql}`)
        .join(", ")}) AS item
     FROM "${table}" t
     WHERE ${where} AND ${existed(at)} AND (${at}, t.id) > ($2::timestamptz, $3) ORDER BY ${at}, t.id LIMIT $4`,
      order: "(place->>0)::timestamptz, place->>1",
    }),
    rowsMax,
  };
}

interface Paged {
  table: string;
  columns: Column[];
  at: string;
  where?: string;
  rowsMax?: number;
}

interface Column {
  name: string;
  sql: string;
}

const plain = (...names: string[]): Column[] => names.map((name) => ({ name, sql: `t."${name}"` }));
const instants = (...names: string[]): Column[] =>
  names.map((name) => ({ name, sql: instant(`t."${name}"`) }));

const purpose = plain("purposeType", "purposeDescription", "legalBasis", "retention");

export const revisionsMax = 1_000;

// A page of the last revisions of a memory, oldest first: $1 is the memory, $2 the last one's id, $3 how
// many, $4 the last revision before the export began.
export const revisionStatement = pieceOf({
  rows: `SELECT r.id AS place, json_build_object('category', r.category,
    'content', r.content, 'confidence', r.confidence, 'cause', r.cause,
    'archivedAt', ${instant('r."archivedAt"')}, 'createdAt', ${instant('r."createdAt"')}) AS item
  FROM "MemoryRevision" r WHERE r."memoryId" = $1 AND r.id > $2 AND r.id <= $4 ORDER BY r.id LIMIT $3`,
  order: "place",
});

// Before the first of them that an archive takes; null where there are none.
const revisionsAfter = `(SELECT (min(v.id) - 1)::text FROM
  (SELECT id FROM "MemoryRevision" WHERE "memoryId" = t.id ORDER BY id DESC LIMIT ${revisionsMax}) v)`;

export const statements: Record<ArchiveList, PageStatement> = {
  namedValues: {
    text: pieceOf({
      rows: `SELECT json_build_array(t.category, t.name) AS place,
        json_build_object('category', t.category, 'name', t.name, 'value', t.value) AS item
      FROM "NamedValue" t
      WHERE "profileId" = $1 AND (t.category, t.name) > ($2, $3) ORDER BY t.category, t.name LIMIT $4`,
      order: "place->>0, place->>1",
    }),
    rowsMax: 50,
  },
  memories: {
    text: pieceOf({
      rows: `SELECT json_build_array('', t.id) AS place, json_build_object(${[
        ...plain("id", "category", "content", "confidence", "source", "agentDid", "proposalId"),
        ...instants("createdAt", "updatedAt", "archivedAt", "deletedAt"),
      ]
        .map(({ name, sql }) => `'${name}', ${sql}`)
        .join(", ")}) AS item, ${revisionsAfter} AS "revisionsAfter"
      FROM "Memory" t
      WHERE "profileId" = $1 AND ${existed(`t."createdAt"`)} AND $2::text IS NOT NULL AND t.id > $3
      ORDER BY t.id LIMIT $4`,
      order: "place->>1",
    }),
    rowsMax: 50,
  },
  proposals: pageOf({
    table: "Proposal",
    at: `t."proposedAt"`,
    rowsMax: 100,
    columns: [
      ...plain("id", "agentDid", "content", "category", "confidence", "context", "status"),
      ...instants("proposedAt", "expiresAt", "reviewedAt"),
      ...plain("reviewedBy", "reason"),
    ],
  }),
  policies: pageOf({
    table: "Policy",
    at: `t."createdAt"`,
    columns: [
      ...plain("id", "agentPattern", "verifiedOnly", "allow", "deny", "permissions", "purposes"),
      ...plain("maxRetention", "receiptSeconds", "enabled"),
      ...instants("expiresAt"),
      ...plain("origin", "consentRequestId"),
      ...instants("createdAt"),
    ],
  }),
  consentRequests: pageOf({
    table: "ConsentRequest",
    at: `t."requestedAt"`,
    columns: [
      ...plain("id", "agentDid", "scopes"),
      ...purpose,
      ...plain("status", "grantedScopes", "timesAsked"),
      ...instants("requestedAt", "decidedAt"),
    ],
  }),
  receipts: pageOf({
    table: "Receipt",
    at: `t."grantedAt"`,
    columns: [
      ...plain("id", "agentDid", "grantedScopes", "deniedScopes"),
      ...purpose,
      ...instants("grantedAt", "expiresAt", "revokedAt"),
    ],
  }),
  tokens: pageOf({
    table: "ConnectionToken",
    at: `t."createdAt"`,
    columns: [
      ...plain("id", "agentDid", "label", "lastFour", "scopes", "permissions"),
      ...instants("createdAt", "expiresAt", "lastUsedAt", "revokedAt"),
    ],
  }),
  keys: {
    ...pageOf({
      table: "Key",
      at: `t."createdAt"`,
      where: "t.did = $1",
      columns: [
        ...plain("id"),
        { name: "publicKey", sql: `encode(t."publicKey", 'base64')` },
        ...plain("label"),
        ...instants("createdAt", "revokedAt"),
      ],
    }),
    byDid: true,
  },
  events: pageOf({
    table: "AccessEvent",
    at: "t.at",
    columns: [
      ...plain("id"),
      ...instants("at"),
      ...plain("actor", "actorId", "verb", "outcome", "asked", "granted", "denied", "items"),
      ...plain("reasons", "purposeType", "receiptId", "subjectId", "detail", "requestId"),
      { name: "position", sql: "t.position::text" },
      { name: "hash", sql: `encode(t.hash, 'hex')` },
    ],
  }),
};
