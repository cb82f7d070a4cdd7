import type { ClaimedPrecision } from "@/lib/engine/prisma-client/enums";
import { newId } from "@/lib/engine/random";
import { type ClaimFlag, strictFlags } from "../../claims/read-flags";
import type { ImportItem } from "../formats/item";
import type { ReadImport } from "../read-import";

/** A memory of an import, as it waits in the inbox. */
interface Row {
  id: string;
  content: string;
  category: string;
  /** The heading that it was under. */
  context: string | null;
  claimed: string | null;
  claimedPrecision: ClaimedPrecision | null;
  flags: ClaimFlag[];
}

/** What is said of an import beside its memories. */
export interface ImportHead extends Pick<ReadImport, "format" | "warning" | "leftOut"> {
  items: number;
}

export const sliceMax = 500;

/** Returns the memories in slices of rows, so that no statement is too long. */
export function* prepareSlices(items: readonly ImportItem[]): Generator<Row[]> {
  for (let from = 0; from < items.length; from += sliceMax) {
    yield items.slice(from, from + sliceMax).map(rowOf);
  }
}

function rowOf({ content, category, section, date }: ImportItem): Row {
  return {
    id: newId("prop"),
    ...{ content, category, context: section },
    claimed: date?.text ?? null,
    claimedPrecision: date?.precision ?? null,
    flags: strictFlags({ content, context: section }),
  };
}
