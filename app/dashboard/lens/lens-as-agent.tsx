import type { Lens } from "@/lib/services/access/sight/lens";
import { counted } from "../../_components/words/list";
import { Groups, Hidden, Summary } from "./lens";
import { hiddenLines, lensGroups } from "./lens-view";

/** What the agent would get now: the answer itself, and which rule hides the rest. */
export function LensAsAgent({ lens }: { lens: Lens }) {
  const groups = lensGroups(lens);
  const hidden = hiddenLines(lens.hidden, lens.policies);
  return (
    <section aria-label="What it gets now" className="theirs flex flex-col gap-5 p-4 sm:p-5">
      <div>
        <h3 className="font-medium">What it gets now</h3>
        <p className="text-muted">
          {groups.seen === 0
            ? "Nothing at all: everything that you keep here is hidden from it."
            : `${counted(groups.seen, "item")}, in the very words that it gets.`}
        </p>
      </div>
      <Groups groups={groups} />
      {hidden.lines.length > 0 && (
        <details className="group" open={groups.seen === 0}>
          <Summary>{`Hidden from it: ${counted(hidden.lines.length + hidden.more, "thing")}`}</Summary>
          <div className="mt-3">
            <Hidden lines={hidden} />
          </div>
        </details>
      )}
    </section>
  );
}
