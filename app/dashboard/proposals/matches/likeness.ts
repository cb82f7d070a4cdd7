import type { Resemblance, Resembling } from "@/lib/services/proposals/resembling";
import { categoryTitle } from "../../../_components/words/category";
import type { Likeness } from "../review/card/card-data";

/** What the card says about a claim beside what is known: the one thing that helps most to decide it. */
export function likenessOf({ near, rejectedAt }: Resemblance): Likeness {
  const memories = near.filter(({ kind }) => kind === "memory");
  const [memory] = memories;
  if (memory?.relation === "same") return sameAs(memory);
  if (rejectedAt !== null) return { kind: "rejected", at: rejectedAt.toISOString() };
  if (memory !== undefined) {
    const kind = kindOf(memory);
    return { kind, memoryId: memory.id, content: memory.content };
  }
  const [waiting] = near;
  if (waiting === undefined) return { kind: "none" };
  return { kind: waitingKinds[waiting.relation], proposalId: waiting.id, content: waiting.content };
}

const waitingKinds = {
  ...({ same: "twin", contradicts: "opposite" } as const),
  ...({ updates: "waiting", none: "waiting" } as const),
};

function kindOf({ relation, isNewer }: Resembling) {
  if (relation === "updates") return isNewer ? "outdated" : "updates";
  return relation === "contradicts" ? relation : "close";
}

function sameAs({ id, content, category }: Resembling): Likeness {
  return { kind: "same", memoryId: id, title: categoryTitle(category), content };
}
