import { Icon, type IconName } from "../icon";
import { Identicon } from "../shown/identicon";
import { beginningWith } from "../words/found-words";
import { visibleText } from "../words/inert";

/** Something that was found, and where it is. */
export interface FoundRow {
  href: string;
  icon: IconName;
  /** Draws an agent instead of the icon. */
  did?: string;
  /** May be somebody else's words. */
  text: string;
  note?: string;
}

export interface FoundGroup {
  name: string;
  rows: FoundRow[];
}

/** A row without what makes it act: the same in the dialog and on the page. */
export function RowWords({ row, words }: { row: FoundRow; words: string }) {
  return (
    <>
      {row.did === undefined ? (
        <Icon icon={row.icon} />
      ) : (
        <Identicon did={row.did} className="size-5" />
      )}
      <bdi dir="auto" className="min-w-0 flex-1 truncate">
        <Marked text={visibleText(row.text)} words={words} />
      </bdi>
      {row.note !== undefined && (
        <span className="max-w-1/2 truncate text-small font-normal text-muted">{row.note}</span>
      )}
    </>
  );
}

function Marked({ text, words }: { text: string; words: string }) {
  const sought = words.split(/\s+/).filter(Boolean);
  if (sought.length === 0) return text;
  const parts = text.split(beginningWith(sought));
  return parts
    .map((part, place) => ({ part, place, isHit: place % 2 === 1 }))
    .map(({ part, place, isHit }) =>
      isHit ? (
        <b key={place} className="link font-bold">
          {part}
        </b>
      ) : (
        part
      ),
    );
}
