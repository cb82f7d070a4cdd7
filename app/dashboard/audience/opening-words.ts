import type { Opening, Openings } from "@/lib/rules/effect/openings";
import { everyAgent, type Policy } from "@/lib/rules/facts";
import { type ReaderClock, untilWords } from "../../_components/words/time";
import { conditions } from "../policy-sentence";

/** How an agent comes to something: "you granted it for analysis, until 14 December 2026". */
export function openingWords(
  { reads, takes }: Pick<Openings, "reads" | "takes">,
  clock: ReaderClock,
): string {
  if (reads === null) return takes === null ? "it has to ask" : takenWords(takes, clock);
  const { policy, until } = reads;
  const end = isOwnEnd(reads) && until !== null ? `, ${untilWords(until, clock)}` : "";
  const read = `${ruleWords(policy)}${conditions(policy)}${end}`;
  const outlasts =
    takes !== null &&
    until !== null &&
    (takes.until === null || takes.until.getTime() > until.getTime());
  return outlasts ? `${read}, then after saying why, ${endWords(takes, clock)}` : read;
}

/** "for analysis when kept for 7 days at most, until 14 December 2026" */
function takenWords(opening: Opening, clock: ReaderClock): string {
  const said = isOwnEnd(opening) ? conditions(opening.policy).trim() : "";
  return `${said || "after saying why"}, ${endWords(opening, clock)}`;
}

function endWords({ until }: Opening, clock: ReaderClock): string {
  return until === null ? "until you end it" : untilWords(until, clock);
}

// Where another rule opens it after this one, neither end is that of both.
function isOwnEnd({ policy: { expiresAt }, until }: Opening): boolean {
  return expiresAt === null || (until !== null && until <= expiresAt);
}

function ruleWords({ origin, agentPattern, verifiedOnly }: Policy): string {
  if (origin === "consent") return "you granted it";
  if (origin === "token") return "by a token that you issued";
  if (agentPattern === everyAgent) {
    return `by your rule for ${verifiedOnly ? "verified agents" : "every agent"}`;
  }
  return agentPattern.includes("*")
    ? "by your rule for some agents"
    : "by your rule for this agent";
}
