import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Category } from "@/lib/protocol/scope";
import { live } from "../content";
import { type Ctx, inSearch } from "../context";
import { withProfile } from "../profile-gate";
import { isPending } from "./pending";

/** Something that a proposal resembles: a memory, or another pending proposal. */
export interface Resembling {
  kind: "memory" | "proposal";
  id: string;
  /** Its beginning. */
  content: string;
  isCut: boolean;
  category: Category;
  /** 0 to 1, by the runs of three characters that both have. */
  likeness: number;
}

export interface ResemblingInput {
  did: string;
  proposalIds: readonly string[];
}

/** How many can be compared at once. */
export const comparedMax = 5;
const shownMax = 3;
// Tried on pairs of sentences: "Likes tea." and "Likes trains." have 0.44, pairs of one matter mostly more.
const likenessMin = 0.4;
const headLength = 500;

/** The nearest among live memories and waiting proposals, of a few proposals at once, nearest first. */
export async function findResembling(
  ctx: Ctx,
  { did, proposalIds }: ResemblingInput,
): Promise<Map<string, Resembling[]>> {
  return withProfile(ctx, { verb: "reviewProposal", did }, async ({ profile }) => {
    const comparing = {
      profileId: profile.id,
      ids: proposalIds.slice(0, comparedMax),
      now: ctx.now,
    };
    const nearest = await inSearch(ctx, profile.ownerId, async (tx) => {
      const found: (Row & Pick<Resembling, "kind">)[] = [];
      for (const kind of ["memory", "proposal"] as const) {
        const rows = await tx.$queryRaw<Row[]>(nearestSql(kind, comparing));
        found.push(...rows.map((row) => ({ ...row, kind })));
      }
      return found.sort((one, other) => other.likeness - one.likeness);
    });
    return new Map(
      proposalIds.map((id) => [
        id,
        nearest
          .filter(({ proposalId }) => proposalId === id)
          .slice(0, shownMax)
          .map(({ proposalId: _, ...resembling }) => resembling),
      ]),
    );
  });
}

type Row = Omit<Resembling, "kind"> & { proposalId: string };

interface Comparing {
  profileId: number;
  ids: readonly string[];
  now: Date;
}

const headOf = (content: Prisma.Sql) => Prisma.sql`left(${content}, ${headLength})`;

function nearestSql(kind: Resembling["kind"], { profileId, ids, now }: Comparing): Prisma.Sql {
  const [table, condition] =
    kind === "memory"
      ? [Prisma.sql`"Memory"`, live]
      : [Prisma.sql`"Proposal"`, Prisma.sql`${isPending(now, Prisma.sql`o.`)} AND o.id <> a.id`];
  const [head, own] = [headOf(Prisma.sql`o.content`), headOf(Prisma.sql`a.content`)];
  return Prisma.sql`
    SELECT a.id AS "proposalId", n.id, n.head AS content, n."isCut", n.category, n.likeness
    FROM "Proposal" a CROSS JOIN LATERAL (
      SELECT o.id, ${head} AS head, length(o.content) > ${headLength} AS "isCut", o.category,
        similarity(${head}, ${own}) AS likeness
      FROM ${table} o WHERE o."profileId" = ${profileId} AND ${condition}
      ORDER BY ${head} <-> ${own} LIMIT ${shownMax}) n
    WHERE a.id = ANY (${ids}::text[]) AND a."profileId" = ${profileId} AND n.likeness >= ${likenessMin}`;
}
