import type { RequestPreview, ScopePreview } from "@/lib/services/access/sight/preview";
import { fittingCount } from "../../../_components/words/list";
import { type HiddenLines, hiddenLines, valueText } from "../../lens/lens-view";

/** What of a scope's preview is on the page: a page goes through all of it. */
export interface ShownPart {
  preview: ScopePreview;
  items: { id: string; name: string | null; text: string; createdAt: string | undefined }[];
  closed: HiddenLines;
}

// One line of each; in characters of all parts together, with what their markup takes.
const textMax = 160;
const textsMax = 3_000;
const markupOf = 60;
const linesMax = 5;

/** The first of each part, as far as they fit on one page together. */
export function shownParts({ scopes, policies }: RequestPreview, zone: string): ShownPart[] {
  let [left, linesLeft] = [textsMax, linesMax];
  return scopes.map((preview) => {
    const texts = preview.first.map(({ id, name, value, createdAt }) => {
      return { id, name, text: valueText(value, textMax), createdAt };
    });
    const fitting = fittingCount(texts, { of: sizeOf, max: left });
    const items = left > 0 ? texts.slice(0, fitting) : [];
    left -= items.reduce((sum, item) => sum + sizeOf(item), 0);
    const closed = hiddenLines(preview.closed, { policies, zone });
    const lines = closed.lines.slice(0, linesLeft);
    linesLeft -= lines.length;
    const more = closed.more + closed.lines.length - lines.length;
    return { preview, items, closed: { lines, more } };
  });
}

function sizeOf({ name, text }: { name: string | null; text: string }): number {
  return markupOf + (name?.length ?? 0) + text.length;
}
