import { Icon, type IconName } from "../../../../_components/icon";
import type { CardWork } from "./use-card";

/** The line between what the agent says and what is kept; shut where one act is not enough. */
export function Threshold({ work }: { work: CardWork }) {
  const { mode, secondAct, isAsked } = work;
  const isShut = secondAct !== null && mode !== "edit" && mode !== "reject";
  const { icon, words } = saying(work);
  const gap = isShut
    ? "rounded-key bg-sensitive text-on-sensitive"
    : "bg-linear-to-b from-theirs from-50% to-surface to-50% before:absolute before:top-1.75 before:left-0 before:h-3.75 before:w-0.75 before:bg-wall after:absolute after:top-1.75 after:right-0 after:h-3.75 after:w-0.75 after:bg-wall";
  return (
    <div
      className={`relative h-0 border-t-3 ${isShut ? "border-sensitive forced-colors:border-double" : "border-wall"}`}
    >
      <p
        data-first={isAsked ? "" : undefined}
        tabIndex={-1}
        className={`absolute -top-4 left-4 flex h-7.25 items-center gap-2 px-3 text-small font-semibold whitespace-nowrap outline-none focus-visible:shadow-none rail:left-7 ${gap}`}
      >
        {icon !== null && <Icon icon={icon} className="size-4" />}
        {words}
      </p>
    </div>
  );
}

function saying(work: CardWork): { icon: IconName | null; words: string } {
  const { mode, secondAct } = work;
  if (work.isTakenBack) return { icon: null, words: "Its agent took it back" };
  if (mode === "edit") return { icon: "pencil-simple", words: "In your words" };
  if (mode === "reject") return { icon: null, words: "If you reject it" };
  if (secondAct === null) return { icon: null, words: "If you keep it" };
  return mode === "read"
    ? { icon: "lock-simple-fill", words: secondAct.line }
    : { icon: "shield-warning", words: secondAct.question };
}
