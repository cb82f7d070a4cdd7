import type { Policy } from "@/lib/rules/facts";
import { categoryWords } from "../../_components/words/category";
import { list } from "../../_components/words/list";

/** Ends a grant, with all that it opens. Its form is around the list, so that the result outlives the row. */
export function EndGrant({ policy: { id, allow } }: { policy: Pick<Policy, "id" | "allow"> }) {
  const name = allow.length === 1 ? "End this grant" : `End this grant of ${allow.length}`;
  const label = `${name}: ${list(allow.map(categoryWords))}`;
  return (
    <button
      type="submit"
      name="remove"
      value={id}
      aria-label={label}
      title={label}
      className="inline-flex min-h-11 items-center link font-medium rail:min-h-6"
    >
      {name}
    </button>
  );
}
