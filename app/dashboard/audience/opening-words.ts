import type { Opening, Openings } from "@/lib/rules/effect/openings";
import { everyAgent, type Policy } from "@/lib/rules/facts";
import { type ReaderClock, untilWords } from "../../_components/words/time";

/** How an agent comes to something: "by your rule for verified agents, until 14 December 2026". */
export function openingWords(
  { reads, takes }: Pick<Openings, "reads" | "takes">,
  clock: ReaderClock,
): string {
  if (reads === null) return takes === null ? "it has to ask" : takenWords(takes, clock);
  const { policy, until } = reads;
  // Where another rule opens it after this one, neither end is that of both.
  const isOwnEnd = until !== null && (policy.expiresAt === null || until <= policy.expiresAt);
  const read = `${ruleWords(policy)}${isOwnEnd ? `, ${untilWords(until, clock)}` : ""}`;
  const outlasts =
    takes !== null &&
    until !== null &&
    (takes.until === null || takes.until.getTime() > until.getTime());
  return outlasts ? `${read}, then ${takenWords(takes, clock)}` : read;
}

/** "without asking you, after saying why, until 14 December 2026"; which reasons do is said by the rules. */
function takenWords({ until }: Opening, clock: ReaderClock): string {
  const end = until === null ? "until you end it" : untilWords(until, clock);
  return `without asking you, after saying why, ${end}`;
}

function ruleWords({ origin, agentPattern, verifiedOnly }: Policy): string {
  if (origin === "consent") return "you granted it";
  if (origin === "token") return "by its connection";
  if (agentPattern === everyAgent) {
    return `by your rule for ${verifiedOnly ? "verified agents" : "every agent"}`;
  }
  return agentPattern.includes("*")
    ? "by your rule for some agents"
    : "by your rule for this agent";
}
