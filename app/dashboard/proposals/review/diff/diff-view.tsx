import { InertText } from "../../../../_components/shown/inert-text";
import { diffWords } from "./diff";

interface DiffProps {
  before: string;
  after: string;
}

/** The owner's words against the agent's; told by line and by word, not by colour alone. */
export function DiffView({ title, ...texts }: DiffProps & { title: string }) {
  return (
    <div className="rounded-box border border-line bg-sunken px-3 py-2">
      <p className="text-small text-muted">{title}</p>
      <div className="mt-0.5">
        <WordDiff {...texts} />
      </div>
    </div>
  );
}

/** Compares two texts: removed words are struck out, new ones underlined. */
export function WordDiff({ before, after }: DiffProps) {
  const changes = diffWords(before, after).map((change, place) => ({ ...change, place }));
  return (
    <span className="wrap-anywhere whitespace-pre-wrap">
      {changes.map(({ kind, text, place }) => {
        if (kind === "same") return <InertText key={place} text={text} lines />;
        return kind === "removed" ? (
          <del key={place} className="rounded-key bg-danger-soft text-danger">
            <InertText text={text} lines />
          </del>
        ) : (
          <ins key={place} className="rounded-key bg-open-soft text-open">
            <InertText text={text} lines />
          </ins>
        );
      })}
    </span>
  );
}
