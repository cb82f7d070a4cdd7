import { renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findFaketime } from "@/scripts/requirements.mjs";

/** The clock of some processes: as everybody's until it jumps. */
export interface JumpingClock {
  /** What its processes are started with. */
  environment: Record<string, string>;
  /** This many seconds from the true time, from now on. */
  jump(seconds: number): void;
}

const missing = "These tests need libfaketime: install it (apt-get install libfaketime)";

export function jumpingClock(folder: string, name: string): JumpingClock {
  const library = findFaketime();
  if (library === null) throw new Error(missing);
  const file = path.join(folder, name);
  function jump(seconds: number): void {
    // In one step, as it is read at every look at the clock.
    writeFileSync(`${file}.next`, seconds < 0 ? `${seconds}` : `+${seconds}`);
    renameSync(`${file}.next`, file);
  }
  jump(0);
  return {
    environment: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      // What waits, waits as long as ever: only the time of day jumps.
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    jump,
  };
}
