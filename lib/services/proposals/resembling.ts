import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Category } from "@/lib/protocol/scope";
import { senseOf } from "@/lib/rules/likeness/like-text";
import { type Relation, relate } from "@/lib/rules/likeness/relate";
import { live } from "../content";
import { type Ctx, inSearch } from "../context";
import { withProfile } from "../profile-gate";
import { fingerprintOf } from "./deciding/rejections";
import { isWaiting } from "./pending";

/** Something that a proposal resembles: a memory, or another pending proposal. */
export interface Resembling {
  kind: "memory" | "proposal";
  id: string;
  /** Its beginning. */
  content: string;
  isCut: boolean;
  category: Category;
  /** What the proposal is to it. */
  relation: Relation;
  /** Whether it was said later, by the dates that both have. */
  isNewer: boolean;
  /** 0 to 1, by the runs of three characters that both have. */
  likeness: number;
}

export interface Resemblance {
  /** The nearest first; what is the same, contradicts or updates before what is only near. */
  near: Resembling[];
  /** When the owner last rejected what says the same, of any agent. */
  rejectedAt: Date | null;
}

export interface ResemblingInput {
  did: string;
  proposalIds: readonly string[];
}

/** How many can be compared at once. */
export const comparedMax = 5;
const readMax = 8;
const shownMax = 3;
// Tried on pairs of sentences: "Likes tea." and "Likes trains." have 0.44, pairs of one matter mostly more.
const likenessMin = 0.4;
const headLength = 500;

/**
 * Compares a few proposals with live memories, waiting proposals and rejections. Leaves out those that a job has
 * still to read.
 */
export async function findResembling(
  ctx: Ctx,
  { did, proposalIds }: ResemblingInput,
): Promise<Map<string, Resemblance>> {
  return withProfile(ctx, { verb: "reviewProposal", did }, async ({ profile }) => {
    const ids = proposalIds.slice(0, comparedMax);
    const comparing = { profileId: profile.id, ids, now: ctx.now };
    return inSearch(ctx, profile.ownerId, (tx) => resemblances(tx, comparing));
  });
}

/** The same in a transaction. */
export async function resemblances(
  tx: Tx,
  comparing: Comparing,
): Promise<Map<string, Resemblance>> {
  const { profileId, ids } = comparing;
  const compared = await tx.$queryRaw<Compared[]>`
    SELECT id, content FROM "Proposal"
    WHERE id = ANY (${ids}::text[]) AND "profileId" = ${profileId} AND "likeText" IS NOT NULL`;
  const nearest: Row[] = [];
  for (const kind of ["memory", "proposal"] as const) {
    nearest.push(...(await tx.$queryRaw<Row[]>(nearestSql(kind, comparing))));
  }
  const rejected = await tx.$queryRaw<{ id: string; rejectedAt: Date }[]>(
    rejectedSql(profileId, compared),
  );
  return new Map(
    compared.map((one) => [
      one.id,
      {
        near: nearTo(one, nearest),
        rejectedAt: rejected.find(({ id }) => id === one.id)?.rejectedAt ?? null,
      },
    ]),
  );
}

interface Compared {
  id: string;
  content: string;
}

type Row = Omit<Resembling, "relation"> & { proposalId: string };

const relations: readonly Relation[] = ["same", "contradicts", "updates", "none"];

function nearTo({ id, content }: Compared, nearest: readonly Row[]): Resembling[] {
  const head = content.slice(0, headLength);
  return nearest
    .filter(({ proposalId }) => proposalId === id)
    .map(({ proposalId: _, ...row }) => ({ ...row, relation: relate(head, row.content) }))
    .filter(({ relation, likeness }) => relation !== "none" || likeness >= likenessMin)
    .sort(
      (one, other) =>
        relations.indexOf(one.relation) - relations.indexOf(other.relation) ||
        other.likeness - one.likeness,
    )
    .slice(0, shownMax);
}

interface Comparing {
  profileId: number;
  ids: readonly string[];
  now: Date;
}

function nearestSql(kind: Resembling["kind"], { profileId, ids, now }: Comparing): Prisma.Sql {
  const [table, condition, source, at] =
    kind === "memory"
      ? [Prisma.sql`"Memory"`, live, Prisma.sql`o."proposalId"`, Prisma.sql`o."createdAt"`]
      : [
          ...[
            Prisma.sql`"Proposal"`,
            Prisma.sql`${isWaiting(now, Prisma.sql`o.`)} AND o.id <> a.id`,
          ],
          ...[Prisma.sql`o.id`, Prisma.sql`o."proposedAt"`],
        ];
  const [theirs, own] = [
    saidAt(Prisma.sql`s`, Prisma.sql`coalesce(s."proposedAt", n.at)`),
    saidAt(Prisma.sql`a`),
  ];
  return Prisma.sql`
    SELECT a.id AS "proposalId", ${kind} AS kind, n.id, n.content, n."isCut", n.category, n.likeness,
      coalesce(left(${theirs}, length(${own})) > left(${own}, length(${theirs})), false) AS "isNewer"
    FROM "Proposal" a CROSS JOIN LATERAL (
      SELECT o.id, left(o.content, ${headLength}) AS content, length(o.content) > ${headLength} AS "isCut",
        o.category, similarity(o."likeText", a."likeText") AS likeness, ${source} AS source, ${at} AS at
      FROM ${table} o WHERE o."profileId" = ${profileId} AND o."likeText" IS NOT NULL AND ${condition}
      ORDER BY o."likeText" <-> a."likeText" LIMIT ${readMax}) n
    LEFT JOIN "Proposal" s ON s.id = n.source
    WHERE a.id = ANY (${ids}::text[]) AND a."profileId" = ${profileId} AND a."likeText" IS NOT NULL`;
}

/** When something was said, or the beginning of that as an import claims it; null where an import does not say. */
function saidAt(row: Prisma.Sql, at = Prisma.sql`${row}."proposedAt"`): Prisma.Sql {
  return Prisma.sql`(CASE WHEN ${row}."batchId" IS NULL
    THEN to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
    WHEN ${row}."claimedPrecision" <> 'none' THEN ${row}.claimed END COLLATE "C")`;
}

function rejectedSql(profileId: number, compared: readonly Compared[]): Prisma.Sql {
  const senses = compared.map(({ content }) => senseOf(content));
  return Prisma.sql`
    SELECT c.id, max(r."rejectedAt") AS "rejectedAt"
    FROM unnest(${compared.map(({ id }) => id)}::text[], ${senses}::text[]) c(id, sense)
    JOIN "Rejection" r ON r."profileId" = ${profileId}
      AND r.fingerprint = ${fingerprintOf(profileId, Prisma.sql`c.sense`)}
    GROUP BY c.id`;
}
