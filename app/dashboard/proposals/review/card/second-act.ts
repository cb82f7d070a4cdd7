import type { InboxCard } from "./card-data";

/** Why a card asks twice, in the words of its threshold and its buttons. */
export interface SecondAct {
  line: string;
  question: string;
  note: string;
}

/** Returns the second act that a card takes; null where one act keeps it. */
export function secondActOf(
  { isFlagged, flags }: InboxCard,
  sensitive: string | null,
): SecondAct | null {
  if (isFlagged) {
    const isSecret = flags.some(({ kind }) => kind === "secret");
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
