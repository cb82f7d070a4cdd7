import type { Ctx } from "../../context";
import { withProfile } from "../../profile-gate";
import type { LeftOut } from "../formats/item";

/** An import, and what came of its memories. */
export interface ImportBatch {
  id: string;
  agentDid: string;
  name: string;
  warning: string | null;
  known: number;
  leftOut: Partial<Record<LeftOut, number>>;
  createdAt: Date;
  undoneAt: Date | null;
  waiting: number;
  /** Not compared with the memories yet. */
  unread: number;
  approved: number;
  rejected: number;
}

const listedMax = 100;

/** Lists the imports of a profile, newest first. */
export async function listImports(ctx: Ctx, did: string): Promise<ImportBatch[]> {
  return withProfile(ctx, { verb: "reviewProposal", did }, async ({ profile }) => {
    return ctx.db.$queryRaw<ImportBatch[]>`
      SELECT b.id, b."agentDid", b.name, b.warning, b.known, b."leftOut", b."createdAt", b."undoneAt", c.*
      FROM (SELECT * FROM "ImportBatch" WHERE "profileId" = ${profile.id}
            ORDER BY "createdAt" DESC LIMIT ${listedMax}) b
      CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE status = 'pending' AND "expiresAt" > ${ctx.now})::int AS waiting,
          count(*) FILTER (WHERE status = 'pending' AND "expiresAt" > ${ctx.now} AND "likeText" IS NULL)::int AS unread,
          count(*) FILTER (WHERE status = 'approved')::int AS approved,
          count(*) FILTER (WHERE status = 'rejected')::int AS rejected
        FROM "Proposal" WHERE "batchId" = b.id) c
      ORDER BY b."createdAt" DESC`;
  });
}
