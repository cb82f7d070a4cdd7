import { readLiveState, settleRestored } from "@/lib/services/backup/settle-restored";
import type { AfterCopy } from "./input";

/** Sees to it that a restored database repeats nothing that the live one has done since. */
export const afterCopy: AfterCopy = async (live) => {
  const state = live && (await readLiveState(live));
  return (restored) => settleRestored(restored, state);
};
