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
          <span key={place}>{shown}</span>
        ) : (
          <span
            key={place}
            dir="ltr"
            title={meaning}
            className="mx-0.5 inline-block rounded-box border border-danger/50 px-1 align-baseline font-mono text-xs text-danger"
          >
            {shown}
          </span>
        ),
      )}
    </bdi>
  );
}
