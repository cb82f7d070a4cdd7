import { flagsOf } from "./flags";
import type { Flag } from "./kinds";

/** Returns what a person should notice in the name of an agent. Many are named by their address. */
export function nameFlags(name: string): Flag[] {
  return flagsOf(name).filter(({ kind, strength }) => strength === "stop" && kind !== "link");
}
