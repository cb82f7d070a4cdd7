import { InertText } from "../../../_components/shown/inert-text";
import { diffWords } from "./diff";

interface DiffViewProps {
  before: string;
  after: string;
  title?: string;
}

/** The owner's words against the agent's; told by line and by word, not by colour alone. */
export function DiffView({ before, after, title = "Changed from the proposal" }: DiffViewProps) {
  if (before === after) {
    return <p className="text-muted">No change yet: this approves the proposal as it is.</p>;
  }
  return (
    <div className="rounded-box border border-line bg-sunken px-3 py-2">
      <p className="text-xs text-muted">{title}</p>
      <div className="mt-0.5">
        <WordDiff before={before} after={after} />
      </div>
    </div>
  );
}

/** Compares two texts: removed words are struck out, new ones underlined. */
export function WordDiff({ before, after }: DiffViewProps) {
  const changes = diffWords(before, after).map((change, place) => ({ ...change, place }));
  return (
    <span className="wrap-anywhere whitespace-pre-wrap">
      {changes.map(({ kind, text, place }) => {
        if (kind === "same") return <InertText key={place} text={text} lines />;
        return kind === "removed" ? (
          <del key={place} className="rounded-box bg-danger-soft text-danger">
            <InertText text={text} lines />
          </del>
        ) : (
          <ins key={place} className="rounded-box bg-accent-soft text-accent-strong">
            <InertText text={text} lines />
          </ins>
        );
      })}
    </span>
  );
}
