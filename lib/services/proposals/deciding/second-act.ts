import type { Db, Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { isStopped } from "@/lib/protocol/flags";
import { isSensitive } from "@/lib/protocol/scope";
import { guardVersion } from "@/lib/rules/guard/flags";
import { nameFlags } from "@/lib/rules/guard/name-flags";
import { type ClaimFlag, readFlags } from "../../claims/read-flags";
import type { Ctx } from "../../context";
import { withProfile } from "../../profile-gate";

/** Why a proposal is decided alone, by two acts of a person. */
export type Doubt = "sensitive" | "flagged";

interface Doubted {
  id: string;
  category: string;
  content: string;
  context: string | null;
  agentName: string | null;
  flags: ClaimFlag[];
  guardVersion: number;
}

const doubted = Prisma.sql`p.id, p.category, p.content, p.context, p.flags, p."guardVersion", a.name AS "agentName"`;

/** Returns for each proposal of the profile why it is decided alone; null where nothing says so. */
export async function doubtsAbout(
  tx: Db | Tx,
  { profileId, ids }: { profileId: number; ids: readonly string[] },
): Promise<Map<string, Doubt | null>> {
  const rows = await tx.$queryRaw<Doubted[]>`
    SELECT ${doubted} FROM "Proposal" p LEFT JOIN "Agent" a ON a.did = p."agentDid"
    WHERE id = ANY (${ids}::text[]) AND "profileId" = ${profileId}`;
  const doubts = new Map<string, Doubt | null>();
  for (const row of rows) {
    const flags = await presentFlags(tx, profileId, row);
    const doubt = isSensitive(row.category) ? "sensitive" : isStopped(flags) ? "flagged" : null;
    doubts.set(row.id, doubt);
  }
  return doubts;
}

// A newer table of the guard counts before the job has read everything with it.
async function presentFlags(db: Db | Tx, profileId: number, row: Doubted) {
  const isRead = row.guardVersion === guardVersion;
  const flags = isRead ? row.flags : (await readFlags(db, profileId, row)).flags;
  return [...flags, ...nameFlags(row.agentName ?? "")];
}

export interface SecondActInput {
  did: string;
  proposalId: string;
  editedContent?: string;
  editedCategory?: string;
}

/** Returns whether an approval takes a second act: what it keeps is sensitive, or still has what was flagged. */
export async function takesSecondAct(
  ctx: Ctx,
  { did, proposalId, editedContent, editedCategory }: SecondActInput,
): Promise<boolean> {
  return withProfile(ctx, { verb: "reviewProposal", did }, async ({ profile }) => {
    const [row] = await ctx.db.$queryRaw<Doubted[]>`
      SELECT ${doubted} FROM "Proposal" p LEFT JOIN "Agent" a ON a.did = p."agentDid"
      WHERE id = ${proposalId} AND "profileId" = ${profile.id}`;
    if (row === undefined) return false;
    if (isSensitive(row.category) || isSensitive(editedCategory ?? row.category)) return true;
    const flags = await presentFlags(ctx.db, profile.id, row);
    // What its owner adds by hand to a plain proposal is no reason to ask.
    if (editedContent === undefined || !isStopped(flags)) return isStopped(flags);
    // Of any kind: what hid an order may be gone, and the order is there.
    return isStopped((await readFlags(ctx.db, profile.id, { content: editedContent })).flags);
  });
}
