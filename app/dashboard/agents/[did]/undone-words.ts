import type { ApprovalsUndone } from "@/lib/services/proposals/deciding/undo-approvals";
import { counted } from "../../../_components/words/list";

/** What became of approvals that were undone together. */
export function undoneWords({ waiting, deleted, left }: ApprovalsUndone): string {
  if (waiting + deleted + left === 0) return "There was nothing left to undo.";
  const are = (count: number) => (count === 1 ? "is" : "are");
  const parts = [
    waiting + deleted > 0 &&
      `Undone: ${counted(waiting + deleted, "memory", "memories")} ${are(waiting + deleted)} gone.`,
    waiting > 0 && `${counted(waiting, "proposal is", "proposals are")} undecided again.`,
    left > 0 &&
      `${counted(left, "memory", "memories")} that changed since ${left === 1 ? "stays" : "stay"}.`,
  ];
  return parts.filter((part) => part !== false).join(" ");
}
