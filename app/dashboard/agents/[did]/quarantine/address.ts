import { choice, searchParams } from "@/lib/http/session/address/search-params";
import { agentHref } from "../../agent-href";

const days = ["7", "30", "90"] as const;

/** For how many days back what the agent wrote is listed. */
export const Days = choice(days, "30");

/** Where an agent's page lists what it wrote. */
export function writtenAddress(did: string) {
  return searchParams(agentHref(did), { days: Days });
}

export const daysWords = [
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
] as const;
