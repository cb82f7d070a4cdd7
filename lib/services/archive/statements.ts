import { chunkSql } from "@/lib/engine/load/chunks";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { ArchiveList } from "@/lib/protocol/archive/profile-archive";

/** A page of a list of an archive: what comes after the last item, in the order of an index. */
export interface PageQuery {
  profile: { id: number; did: string };
  /** The last item's place; `place` of a row is what the next page starts from. */
  after: readonly [string, string];
  limit: number;
  /** When the export began. */
  began: string;
}

export interface PageStatement {
  sql: (query: PageQuery) => Prisma.Sql;
  rowsMax: number;
}

const instant = (column: Prisma.Sql) =>
  Prisma.sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

// A time that is yet to come was brought by an import: its row is no newer than that.
const existed = (at: Prisma.Sql, began: string) =>
  Prisma.sql`(${at} <= ${began}::timestamptz OR ${at} > clock_timestamp())`;

interface Paged {
  table: Prisma.Sql;
  /** The members of an item, for json_build_object. */
  members: Prisma.Sql;
  at: Prisma.Sql;
  of?: (profile: PageQuery["profile"]) => Prisma.Sql;
  rowsMax?: number;
}

const ofProfile = ({ id }: PageQuery["profile"]) => Prisma.sql`"profileId" = ${id}`;

function pageOf({ table, members, at, of = ofProfile, rowsMax = 500 }: Paged): PageStatement {
  const sql = ({ profile, after, limit, began }: PageQuery) =>
    chunkSql({
      rows: Prisma.sql`
        SELECT json_build_array(${instant(at)}, t.id) AS place, json_build_object(${members}) AS item
        FROM ${table} t
        WHERE ${of(profile)} AND ${existed(at, began)} AND (${at}, t.id) > (${after[0]}::timestamptz, ${after[1]})
        ORDER BY ${at}, t.id LIMIT ${limit}`,
      order: Prisma.sql`(place->>0)::timestamptz, place->>1`,
    });
  return { sql, rowsMax };
}

const purpose = Prisma.sql`'purposeType', t."purposeType", 'purposeDescription', t."purposeDescription",
  'legalBasis', t."legalBasis", 'retention', t.retention`;

const inquiry = Prisma.sql`'inquiry', (SELECT json_build_object('question', i.question,
    'askedAt', ${instant(Prisma.sql`i."askedAt"`)}, 'answer', i.answer,
    'answeredAt', ${instant(Prisma.sql`i."answeredAt"`)})
  FROM "Inquiry" i WHERE i."subjectId" = t.id)`;

// Leaves out the path and query of a redirect address: they may hold a secret of the client.
const client = Prisma.sql`'client', (SELECT json_build_object('id', c.id, 'name', c.name,
    'redirects', ARRAY(SELECT DISTINCT substring(uri FROM '(?i)^(?:https?://[^/?]+|[^:]+:)')
      FROM unnest(c."redirectUris") uri ORDER BY 1))
  FROM "Client" c WHERE c.id = t."clientId")`;

export const revisionsMax = 1_000;

interface RevisionsQuery {
  memoryId: string;
  /** The last one's id. */
  after: string;
  limit: number;
  /** The last revision before the export began. */
  last: string;
}

/** A page of the last revisions of a memory, oldest first. */
export const revisionsSql = ({ memoryId, after, limit, last }: RevisionsQuery) =>
  chunkSql({
    rows: Prisma.sql`SELECT json_build_array('', r.id::text) AS place, json_build_object('category', r.category,
        'content', r.content, 'confidence', r.confidence, 'cause', r.cause,
        'archivedAt', ${instant(Prisma.sql`r."archivedAt"`)},
        'createdAt', ${instant(Prisma.sql`r."createdAt"`)}) AS item
      FROM "MemoryRevision" r
      WHERE r."memoryId" = ${memoryId} AND r.id > ${after}::bigint AND r.id <= ${last}::bigint
      ORDER BY r.id LIMIT ${limit}`,
    order: Prisma.sql`(place->>1)::bigint`,
  });

// Before the first of them that an archive takes; null where there are none.
const revisionsAfter = Prisma.sql`(SELECT (min(v.id) - 1)::text FROM
  (SELECT id FROM "MemoryRevision" WHERE "memoryId" = t.id ORDER BY id DESC LIMIT ${revisionsMax}) v)`;

// Named values have no time at which they were made.
const namedValues = ({ profile, after, limit }: PageQuery) =>
  chunkSql({
    rows: Prisma.sql`SELECT json_build_array(t.category, t.name) AS place,
        json_build_object('category', t.category, 'name', t.name, 'value', t.value) AS item
      FROM "NamedValue" t
      WHERE "profileId" = ${profile.id} AND (t.category, t.name) > (${after[0]}, ${after[1]})
      ORDER BY t.category, t.name LIMIT ${limit}`,
    order: Prisma.sql`place->>0, place->>1`,
  });

const memories = ({ profile, after, limit, began }: PageQuery) =>
  chunkSql({
    rows: Prisma.sql`SELECT json_build_array('', t.id) AS place, json_build_object('id', t.id,
        'category', t.category, 'content', t.content, 'confidence', t.confidence, 'source', t.source,
        'agentDid', t."agentDid", 'proposalId', t."proposalId",
        'createdAt', ${instant(Prisma.sql`t."createdAt"`)}, 'updatedAt', ${instant(Prisma.sql`t."updatedAt"`)},
        'archivedAt', ${instant(Prisma.sql`t."archivedAt"`)},
        'deletedAt', ${instant(Prisma.sql`t."deletedAt"`)}) AS item, ${revisionsAfter} AS "revisionsAfter"
      FROM "Memory" t
      WHERE "profileId" = ${profile.id} AND ${existed(Prisma.sql`t."createdAt"`, began)} AND t.id > ${after[1]}
      ORDER BY t.id LIMIT ${limit}`,
    order: Prisma.sql`place->>1`,
  });

export const statements: Record<ArchiveList, PageStatement> = {
  namedValues: { sql: namedValues, rowsMax: 50 },
  memories: { sql: memories, rowsMax: 50 },
  proposals: pageOf({
    table: Prisma.sql`"Proposal"`,
    at: Prisma.sql`t."proposedAt"`,
    rowsMax: 100,
    members: Prisma.sql`'id', t.id, 'agentDid', t."agentDid", 'content', t.content, 'category', t.category,
      'confidence', t.confidence, 'context', t.context, 'status', t.status,
      'proposedAt', ${instant(Prisma.sql`t."proposedAt"`)}, 'expiresAt', ${instant(Prisma.sql`t."expiresAt"`)},
      'reviewedAt', ${instant(Prisma.sql`t."reviewedAt"`)}, 'reviewedBy', CASE WHEN t."reviewedBy" NOT LIKE 'did:%'
        THEN (SELECT did FROM "Profile" WHERE id = t."profileId") ELSE t."reviewedBy" END, 'reason', t.reason,
      ${inquiry}`,
  }),
  policies: pageOf({
    table: Prisma.sql`"Policy"`,
    at: Prisma.sql`t."createdAt"`,
    members: Prisma.sql`'id', t.id, 'agentPattern', t."agentPattern", 'verifiedOnly', t."verifiedOnly",
      'allow', t.allow, 'deny', t.deny, 'permissions', t.permissions, 'purposes', t.purposes,
      'maxRetention', t."maxRetention", 'receiptSeconds', t."receiptSeconds", 'enabled', t.enabled,
      'expiresAt', ${instant(Prisma.sql`t."expiresAt"`)}, 'origin', CASE t.origin WHEN 'quarantine' THEN 'owner' ELSE t.origin::text END,
      'consentRequestId', t."consentRequestId", 'createdAt', ${instant(Prisma.sql`t."createdAt"`)}`,
  }),
  consentRequests: pageOf({
    table: Prisma.sql`"ConsentRequest"`,
    at: Prisma.sql`t."requestedAt"`,
    members: Prisma.sql`'id', t.id, 'agentDid', t."agentDid", 'scopes', t.scopes, ${purpose},
      'status', t.status, 'grantedScopes', t."grantedScopes", 'timesAsked', t."timesAsked",
      'requestedAt', ${instant(Prisma.sql`t."requestedAt"`)}, 'decidedAt', ${instant(Prisma.sql`t."decidedAt"`)},
      ${inquiry}`,
  }),
  receipts: pageOf({
    table: Prisma.sql`"Receipt"`,
    at: Prisma.sql`t."grantedAt"`,
    members: Prisma.sql`'id', t.id, 'agentDid', t."agentDid", 'grantedScopes', t."grantedScopes",
      'deniedScopes', t."deniedScopes", ${purpose}, 'grantedAt', ${instant(Prisma.sql`t."grantedAt"`)},
      'expiresAt', ${instant(Prisma.sql`t."expiresAt"`)}, 'revokedAt', ${instant(Prisma.sql`t."revokedAt"`)}`,
  }),
  tokens: pageOf({
    table: Prisma.sql`"ConnectionToken"`,
    at: Prisma.sql`t."createdAt"`,
    members: Prisma.sql`'id', t.id, 'agentDid', t."agentDid", 'label', t.label, 'lastFour', t."lastFour",
      'scopes', t.scopes, 'permissions', t.permissions, 'createdAt', ${instant(Prisma.sql`t."createdAt"`)},
      'expiresAt', ${instant(Prisma.sql`t."expiresAt"`)}, 'lastUsedAt', ${instant(Prisma.sql`t."lastUsedAt"`)},
      'revokedAt', ${instant(Prisma.sql`t."revokedAt"`)}, ${client}`,
  }),
  keys: pageOf({
    table: Prisma.sql`"Key"`,
    at: Prisma.sql`t."createdAt"`,
    of: ({ did }) => Prisma.sql`t.did = ${did}`,
    members: Prisma.sql`'id', t.id, 'publicKey', encode(t."publicKey", 'base64'), 'label', t.label,
      'createdAt', ${instant(Prisma.sql`t."createdAt"`)}, 'revokedAt', ${instant(Prisma.sql`t."revokedAt"`)}`,
  }),
  events: pageOf({
    table: Prisma.sql`"AccessEvent"`,
    at: Prisma.sql`t.at`,
    members: Prisma.sql`'id', t.id, 'at', ${instant(Prisma.sql`t.at`)}, 'actor', t.actor, 'actorId', t."actorId",
      'verb', t.verb, 'outcome', t.outcome, 'asked', t.asked, 'granted', t.granted, 'denied', t.denied,
      'items', t.items, 'reasons', t.reasons, 'purposeType', t."purposeType", 'receiptId', t."receiptId",
      'subjectId', t."subjectId", 'detail', t.detail, 'requestId', t."requestId",
      'position', t.position::text, 'hash', encode(t.hash, 'hex')`,
  }),
};
