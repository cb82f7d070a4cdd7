import { BackupRefused } from "@/lib/engine/backup/refused";
import { readLiveState, settleRestored } from "@/lib/services/backup/settle-restored";
import { applyGone, readGone } from "@/lib/services/gone/apply-gone";
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
  // A database that was used has the whole list. Not so one that is new, in the place of a lost one.
  let isListed = db !== null && (await db.user.findFirst({ select: { id: true } })) !== null;
  for (const copy of goneCopies(env)) {
    const lines = await readCopy(copy, since);
    if (lines === null) continue;
    isListed = true;
    entries.push(...lines.entries);
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

async function readCopy(copy: GoneCopy, since: Date) {
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
