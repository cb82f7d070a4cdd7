import { drawnPieces } from "../words/inert";

interface InertTextProps {
  text: string;
  /** Whether line breaks count. */
  lines?: boolean;
  /** Pieces to underline, in UTF-16 units. */
  marks?: readonly Mark[];
}

interface Mark {
  start: number;
  end: number;
}

/** Words of somebody else's: nothing in them acts, turns the line around or hides. */
export function InertText({ text, lines = false, marks = [] }: InertTextProps) {
  return (
    <bdi dir="auto" className={`wrap-anywhere ${lines ? "whitespace-pre-wrap" : ""}`}>
      {segmentsOf(text, marks).map(({ start, part, isMarked }) =>
        isMarked ? (
          <u key={start} className="decoration-dotted decoration-2 underline-offset-4">
            <Pieces text={part} />
          </u>
        ) : (
          <Pieces key={start} text={part} />
        ),
      )}
    </bdi>
  );
}

interface Segment {
  start: number;
  part: string;
  isMarked: boolean;
}

function segmentsOf(text: string, marks: readonly Mark[]): Segment[] {
  const cuts = [0, ...marks.flatMap(({ start, end }) => [start, end]), text.length];
  const places = [...new Set(cuts)].sort((one, other) => one - other);
  return places.slice(0, -1).map((start, at) => ({
    start,
    part: text.slice(start, places[at + 1]),
    isMarked: marks.some((mark) => mark.start <= start && start < mark.end),
  }));
}

function Pieces({ text }: { text: string }) {
  const keyed = drawnPieces(text).map((piece, place) => ({ ...piece, place }));
  return (
    <>
      {keyed.map(({ kind, text: shown, meaning, place }) =>
        kind === "text" ? (
          shown
        ) : (
          <span key={place} dir="ltr" title={meaning} className="token">
            {shown}
          </span>
        ),
      )}
    </>
  );
}
