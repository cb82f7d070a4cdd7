import { setImmediate } from "node:timers/promises";
import { type Db, inBackgroundTransaction } from "@/lib/engine/db";
import { guardVersion } from "@/lib/rules/guard/flags";
import { likeTextOf } from "@/lib/rules/likeness/like-text";
import { readFlags } from "./read-flags";
import { readMemory } from "./read-memory";

// Each row is written into its indexes: a hundred hold their locks for some tens of milliseconds.
const batchMax = 50;

/**
 * Reads what is not read yet: proposals that wait, where the guard's tables have changed or an import left the
 * comparing for later, and memories of an older version of the gateway.
 */
export async function readClaims(db: Db): Promise<number> {
  return (await readProposals(db)) || (await readMemories(db));
}

interface UnreadProposal {
  id: string;
  profileId: number;
  content: string;
  context: string | null;
}

async function readProposals(db: Db): Promise<number> {
  return inBackgroundTransaction(db, async (tx) => {
    const rows = await tx.$queryRaw<UnreadProposal[]>`
      SELECT id, "profileId", content, context FROM "Proposal"
      WHERE status = 'pending' AND ("guardVersion" < ${guardVersion} OR "likeText" IS NULL)
      ORDER BY "proposedAt" DESC LIMIT ${batchMax} FOR UPDATE SKIP LOCKED`;
    const read: object[] = [];
    for (const { id, profileId, ...text } of rows) {
      // One after the other: requests come in between.
      await setImmediate();
      const likeText = likeTextOf(text.content);
      read.push({ id, likeText, ...(await readFlags(tx, profileId, text)) });
    }
    await tx.$executeRaw`
      UPDATE "Proposal" p SET flags = r.flags, "guardVersion" = r."guardVersion", "likeText" = r."likeText"
      FROM json_populate_recordset(NULL::"Proposal", ${JSON.stringify(read)}::json) r WHERE p.id = r.id`;
    return rows.length;
  });
}

async function readMemories(db: Db): Promise<number> {
  const [unread] = await db.$queryRaw<{ profileId: number }[]>`
    SELECT "profileId" FROM "Memory" WHERE "likeText" IS NULL AND "deletedAt" IS NULL LIMIT 1`;
  if (unread === undefined) return 0;
  const { profileId } = unread;
  const rows = await db.$queryRaw<{ id: string; content: string }[]>`
    SELECT id, content FROM "Memory"
    WHERE "profileId" = ${profileId} AND "likeText" IS NULL AND "deletedAt" IS NULL LIMIT ${batchMax}`;
  const read: object[] = [];
  for (const { id, content } of rows) {
    await setImmediate();
    read.push({ id, content, ...(await readMemory(db, profileId, content)) });
  }
  await inBackgroundTransaction(db, async (tx) => {
    // Changes lock the profile before its memories, too. One that changed the text has read it.
    await tx.$executeRaw`SELECT FROM "Profile" WHERE id = ${profileId} FOR NO KEY UPDATE`;
    await tx.$executeRaw`
      UPDATE "Memory" m SET flags = r.flags, "likeText" = r."likeText"
      FROM json_populate_recordset(NULL::"Memory", ${JSON.stringify(read)}::json) r
      WHERE m.id = r.id AND m.content = r.content AND m."likeText" IS NULL`;
  });
  return rows.length;
}
