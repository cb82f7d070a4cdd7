import Link from "next/link";
import { Empty } from "../../_components/empty";
import { hrefOf, isNarrowed, type MemoryFilter } from "./filter";

export function EmptyState({ looked, did }: { looked: MemoryFilter; did: string }) {
  const { state, sort } = looked;
  if (isNarrowed(looked) || looked.after !== undefined) {
    return (
      <Empty title="Nothing here matches">
        <Link href={hrefOf({ state, sort })} className="text-accent underline underline-offset-4">
          Show all
        </Link>{" "}
        instead.
      </Empty>
    );
  }
  if (state === "archived") {
    return (
      <Empty title="Nothing is archived">
        Archive a memory to keep it for yourself: no agent can read it then.
      </Empty>
    );
  }
  if (state === "deleted") {
    return (
      <Empty title="Nothing is deleted">
        What you delete stays here for 30 days and can be restored. Then it is gone for good.
      </Empty>
    );
  }
  return (
    <Empty title="Nothing is remembered yet">
      Add what agents should know about you above, or give an agent your identifier so that it can
      propose something: <code className="font-mono text-xs break-all text-ink">{did}</code>
    </Empty>
  );
}
