import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";
import { agentDid, parseDid } from "@/lib/protocol/did";
import { invalidRequest } from "@/lib/protocol/errors";
import { guardVersion } from "@/lib/rules/guard/flags";
import { live } from "../../content";
import type { Ctx } from "../../context";
import { changeProfile } from "../../profile-gate";
import { folded, isSameText } from "../../proposals/same-text";
import type { ImportFormat } from "../read-import";
import { type ImportHead, sliceMax } from "./prepare";

/** Names the source of an import. */
export const formatNames: Record<ImportFormat, string> = {
  "claude-prompt": "pasted text",
  markdown: "a list",
  "mem0-plugin": "mem0",
  jsonl: "a JSONL file",
  archive: "a profile archive",
  "claude-memories": "Claude",
  "chatgpt-memory": "ChatGPT",
  "chatgpt-saved": "ChatGPT",
  mem0: "mem0",
  openmemory: "OpenMemory",
  mif: "a MIF file",
  "dot-mem": "a .mem file",
};

export interface Importing {
  did: string;
  head: ImportHead;
  /** The memories, as JSON lists of rows. */
  slices: readonly string[];
}

export interface Imported {
  batchId: string;
  waiting: number;
  known: number;
}

const importLifeMs = 90 * 24 * 60 * 60_000;
const waitingMax = 10_000;
// How sure a source was is not said.
const confidence = 0.5;

/**
 * Puts imported memories into the inbox, as proposals of an agent of the import's own. What is there already, as a
 * memory or a proposal, or was rejected from an import, is counted as known and does not wait twice.
 */
export async function importMemories(
  ctx: Ctx,
  { did, head, slices }: Importing,
): Promise<Imported> {
  const { format, warning, leftOut, items } = head;
  const batchId = newId("imp");
  const importer = agentDid(parseDid(did)?.namespace ?? "local", `import-${batchId.slice(4)}`);
  let waiting = 0;
  // The rows come first: while they are indexed, the profile is not locked.
  const prepare = async (tx: Tx, profileId: number) => {
    // It runs again where it met a deadlock.
    waiting = 0;
    await refuseTooMany(tx, { profileId, items, now: ctx.now });
    await tx.importBatch.create({
      data: {
        ...{ id: batchId, profileId, agentDid: importer, format, warning, items, leftOut },
        ...{ known: 0, name: `Import from ${formatNames[format]}`, createdAt: ctx.now },
      },
      select: { id: true },
    });
    for (const [place, slice] of slices.entries()) {
      waiting += await insertSlice(tx, {
        profileId,
        importer,
        batchId,
        slice,
        place,
        now: ctx.now,
      });
    }
  };
  return changeProfile(
    ctx,
    { verb: "importMemories", did },
    async ({ tx, record }) => {
      const known = items - waiting;
      const where = { id: batchId };
      await tx.importBatch.update({ where, data: { known }, select: { id: true } });
      await record({ subjectId: batchId, detail: { format, waiting, known } });
      return { batchId, waiting, known };
    },
    prepare,
  );
}

interface Bound {
  profileId: number;
  items: number;
  now: Date;
}

async function refuseTooMany(tx: Tx, { profileId, items, now }: Bound): Promise<void> {
  const there = await tx.proposal.count({
    where: { profileId, batchId: { not: null }, status: "pending", expiresAt: { gt: now } },
  });
  if (there + items <= waitingMax) return;
  const most = waitingMax.toLocaleString("en");
  const message = `Imports may have ${most} memories waiting, and ${there.toLocaleString("en")} wait already, so nothing was kept: decide some of those first.`;
  throw invalidRequest([{ path: "file", message }]);
}

interface Slice {
  profileId: number;
  importer: string;
  batchId: string;
  slice: string;
  /** Which slice it is. */
  place: number;
  now: Date;
}

/** Inserts what is not there yet, and returns how many that were. A job compares them later. */
function insertSlice(tx: Tx, { profileId, importer, batchId, slice, place, now }: Slice) {
  // In the order of the file, the first on top.
  const newest = new Date(now.getTime() - place * sliceMax);
  const expiresAt = new Date(now.getTime() + importLifeMs);
  const own = Prisma.sql`r.content`;
  return tx.$executeRaw`
    INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category, confidence, context,
      "proposedAt", "expiresAt", imported, flags, "guardVersion", "batchId", claimed, "claimedPrecision")
    SELECT r.id, ${profileId}, ${importer}, r.content, sha256(convert_to(r.content, 'UTF8')), r.category,
      ${confidence}, r.context, ${newest}::timestamptz - r.ordinality * interval '1 ms', ${expiresAt}, true, r.flags, ${guardVersion}, ${batchId}, r.claimed,
      r."claimedPrecision"
    FROM (SELECT DISTINCT ON (${folded(own)}) r.*
          FROM jsonb_populate_recordset(NULL::"Proposal", ${slice}::jsonb) WITH ORDINALITY r
          ORDER BY ${folded(own)}, r.ordinality) r
    WHERE NOT EXISTS (SELECT FROM "Memory" o WHERE o."profileId" = ${profileId} AND ${live}
        AND ${isSameText(Prisma.sql`o.content`, own)})
      AND NOT EXISTS (SELECT FROM "Proposal" o WHERE o."profileId" = ${profileId} AND o.status = 'pending'
        AND o."expiresAt" > ${now} AND ${isSameText(Prisma.sql`o.content`, own)})
      AND NOT EXISTS (SELECT FROM "Proposal" o WHERE o."profileId" = ${profileId} AND o.status = 'rejected'
        AND o."reviewedBy" IS NOT NULL AND o.imported AND ${isSameText(Prisma.sql`o.content`, own)})`;
}
