import type { Client } from "pg";
import { BackupRefused } from "@/lib/engine/backup/refused";
import { withClient } from "./client";
import {
  beforeName,
  confirmRestore,
  createLike,
  dropDatabase,
  restoringName,
  swapDatabases,
  undoSwap,
} from "./databases";
import { fillNew, type Place } from "./fill";
import type { CheckedFile, RestoreInput } from "./input";
import { atDatabase, type Reached, refuseRunning } from "./reach";

interface Swap {
  checked: CheckedFile;
  reached: Reached;
  admin: Client;
  finish: (restored: Place) => Promise<void>;
}

/** Restores into a database of its own, and swaps the two by name. What was there stays for a day. */
export async function replaceBySwap(
  input: RestoreInput,
  { checked, reached: { url, name }, admin, finish }: Swap,
): Promise<void> {
  const { now } = input;
  const next = restoringName(name, now);
  const owner = decodeURIComponent(new URL(url).username);
  await createLike(admin, { live: name, name: next, owner });
  try {
    const place = { ...input, url: atDatabase(url, next).href };
    await fillNew(place, checked);
    await finish(place);
    // One that was started by now writes what the restored database would not have.
    await withClient(url, refuseRunning);
    await swapDatabases(admin, { live: name, next, before: beforeName(name, now) });
  } catch (error) {
    await dropDatabase(admin, next).catch((failure: unknown) =>
      input.log.warn("the next restore drops what this one left", { error: failure }),
    );
    throw error;
  }
  try {
    await refuseUnhealthy(input, url);
  } catch (error) {
    await undoSwap(admin, name, now);
    throw error;
  }
  await confirmRestore(admin, name);
}

export async function refuseUnhealthy(input: RestoreInput, url: string): Promise<void> {
  await input.checkHealth(url).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BackupRefused(
      `The gateway does not start on the restored database, which is as it was before again (${reason}).`,
      { cause },
    );
  });
}
