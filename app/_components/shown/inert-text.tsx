import { drawnPieces } from "../words/inert";

interface InertTextProps {
  text: string;
  /** Whether line breaks count. */
  lines?: boolean;
}

/** Words of somebody else's: nothing in them acts, turns the line around or hides. */
export function InertText({ text, lines = false }: InertTextProps) {
  const keyed = drawnPieces(text).map((piece, place) => ({ ...piece, place }));
  return (
    <bdi dir="auto" className={`wrap-anywhere ${lines ? "whitespace-pre-wrap" : ""}`}>
      {keyed.map(({ kind, text: shown, meaning, place }) =>
        kind === "text" ? (
          shown
        ) : (
          <span key={place} dir="ltr" title={meaning} className="token">
            {shown}
          </span>
        ),
      )}
    </bdi>
  );
}
