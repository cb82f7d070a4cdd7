import type { Left } from "@/lib/services/proposals/deciding/review-many";
import { counted } from "../../_components/words/list";

const words: Record<Left, [one: string, many: string]> = {
  not_waiting: ["does not wait any more", "do not wait any more"],
  unknown: ["is not in this profile any more", "are not in this profile any more"],
  sensitive: ["is sensitive and takes a decision of its own", "are sensitive: decide them alone"],
  flagged: ["has a warning and takes a decision of its own", "have a warning: decide them alone"],
  kept: [
    "says what you keep already: reject it, or approve it alone",
    "say what you keep already: reject them, or approve them alone",
  ],
  no_room: [
    "needs a category, and this profile has as many as it can",
    "need a category, and this profile has as many as it can",
  ],
};

/** Says why proposals of a group were not decided; null where all were. */
export function leftWords(left: readonly Left[]): string | null {
  const reasons = [...new Set(left)].map((why) => {
    const count = left.filter((one) => one === why).length;
    return counted(count, ...words[why]);
  });
  return reasons.length === 0 ? null : `${reasons.join("; ")}.`;
}
