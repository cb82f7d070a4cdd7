import type { Category } from "@/lib/protocol/scope";
import { type Ctx, inSearch } from "../context";
import { onProfile } from "../open-profile";

/** What a proposal reads like: a memory that its owner has, or another proposal that waits. */
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

export interface ResemblingAsked {
  did: string;
  proposalIds: readonly string[];
}

/** How many may be asked about at once. */
export const comparedMax = 5;
const shownMax = 3;
// Tried on pairs of sentences: "Likes tea." and "Likes trains." have 0.44, pairs of one matter mostly more.
const likenessMin = 0.4;
const headLength = 500;

/** The nearest among live memories and waiting proposals, of a few proposals at once, nearest first. */
export async function findResembling(
  ctx: Ctx,
  { did, proposalIds }: ResemblingAsked,
): Promise<Map<string, Resembling[]>> {
  return onProfile(ctx, { verb: "reviewProposal", did }, async ({ profile }) => {
    const values = [profile.id, proposalIds.slice(0, comparedMax), ctx.now, shownMax, likenessMin];
    const nearest = await inSearch(ctx, profile.ownerId, async (client) => {
      const found: (Row & Pick<Resembling, "kind">)[] = [];
      for (const kind of ["memory", "proposal"] as const) {
        const { rows } = await client.query<Row>({
          name: `resembling-${kind}`,
          text: statements[kind],
          values: kind === "memory" ? values.toSpliced(2, 1) : values,
        });
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

const head = (of: string) => `left(${of}.content, ${headLength})`;

function statement(table: "Memory" | "Proposal", condition: string, shown: number): string {
  return `
    SELECT a.id AS "proposalId", n.id, n.head AS content, n."isCut", n.category, n.likeness
    FROM "Proposal" a CROSS JOIN LATERAL (
      SELECT o.id, ${head("o")} AS head, length(o.content) > ${headLength} AS "isCut", o.category,
        similarity(${head("o")}, ${head("a")}) AS likeness
      FROM "${table}" o WHERE o."profileId" = $1 AND ${condition}
      ORDER BY ${head("o")} <-> ${head("a")} LIMIT $${shown}) n
    WHERE a.id = ANY ($2) AND a."profileId" = $1 AND n.likeness >= $${shown + 1}`;
}

const statements = {
  memory: statement("Memory", `o."archivedAt" IS NULL AND o."deletedAt" IS NULL`, 3),
  proposal: statement(
    "Proposal",
    `o.status = 'pending' AND o."expiresAt" > $3 AND o.id <> a.id`,
    4,
  ),
};
