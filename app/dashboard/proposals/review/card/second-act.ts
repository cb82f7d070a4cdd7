import { isStopped } from "@/lib/protocol/flags";
import type { InboxCard, Known } from "./card-data";

/** Whether something about a card, or the name of its agent, has a warning. */
export function isFlagged({ flags, agent }: InboxCard, { agents }: Known): boolean {
  return isStopped(flags) || (agents[agent]?.nameFlags.length ?? 0) > 0;
}

/** Why a card asks twice, in the words of its threshold and its buttons. */
export interface SecondAct {
  line: string;
  question: string;
  note: string;
}

/** Returns the second act that a card takes; null where one act keeps it. */
export function secondActOf(
  card: InboxCard,
  { known, sensitive }: { known: Known; sensitive: string | null },
): SecondAct | null {
  if (isFlagged(card, known)) {
    const isSecret = card.flags.some(({ kind }) => kind === "secret");
    return {
      line: "Read it closely: approving asks you once more",
      question: isSecret ? "Keep this password or number?" : "Keep this all the same?",
      note: "It has a warning, so you are asked twice.",
    };
  }
  if (sensitive === null) return null;
  return {
    line: "Sensitive: approving asks you once more",
    question: `Keep this about your ${sensitive}?`,
    note: "Sensitive, so you are asked twice.",
  };
}
