import { BackupRefused } from "@/lib/engine/backup/refused";
import type { Db } from "@/lib/engine/db";
import { readLiveState, settleRestored } from "@/lib/services/backup/settle-restored";
import { applyGone, readGone, withoutKnown } from "@/lib/services/gone/apply-gone";
import type { GoneCopy } from "@/lib/services/gone/gone-file";
import { goneCopies } from "@/lib/services/gone/gone-targets";
import type { AfterCopy, LiveGateway } from "./input";

/** Sees to it that a restored database repeats nothing that was done since, and brings back nothing that was gone. */
export const afterCopy: AfterCopy = async (live, { madeAt }) => {
  const state = live.db && (await readLiveState(live.db));
  const gone = await readGoneSince(live, madeAt);
  return async (restored) => {
    await settleRestored(restored.db, state);
    await applyGone(restored, gone.entries);
    return gone.notes;
  };
};

// A row is older than the end of its transaction, which may be after the backup. What the backup has is not applied again.
const marginMs = 24 * 3_600_000;

async function readGoneSince({ env, db }: LiveGateway, madeAt: string) {
  const since = new Date(Date.parse(madeAt) - marginMs);
  const entries = db === null ? [] : await readGone(db, since);
  const notes: string[] = [];
  // A database that was used before the backup has the whole list. Not so one that is new, in the place of a lost one.
  let isListed = db !== null && (await isOlder(db, new Date(madeAt)));
  for (const copy of goneCopies(env)) {
    const lines = await readCopy(copy, isListed ? since : undefined);
    if (lines === null) continue;
    // The file of a new gateway has what its database has.
    isListed ||= db === null || (await withoutKnown(db, lines.entries)).length > 0;
    entries.push(...lines.entries.filter(({ at }) => at >= since));
    if (lines.gaps.length > 0) {
      notes.push(
        `Lines of ${copy.name} are damaged or missing (${lines.gaps.join(", ")}): what they list may be back.`,
      );
    }
  }
  if (!isListed) {
    notes.push(
      `No list of what was erased or revoked since ${madeAt} was found: if anything was, it is back.`,
    );
  }
  return { entries, notes };
}

async function isOlder(db: Db, than: Date): Promise<boolean> {
  const select = { id: true };
  const event = await db.adminEvent.findFirst({ where: { at: { lte: than } }, select });
  if (event !== null) return true;
  return (await db.user.findFirst({ where: { createdAt: { lte: than } }, select })) !== null;
}

async function readCopy(copy: GoneCopy, since: Date | undefined) {
  try {
    return await copy.read(since);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BackupRefused(
      `The list of what was erased since cannot be read from ${copy.name} (${reason}): restore when it can be.`,
      { cause },
    );
  }
}
