import { AgentName } from "../../../../_components/shown/agent-name";
import { counted } from "../../../../_components/words/list";
import type { EffectView, Lines } from "./effect-view";

/** Shows which agents gain and lose access by a change that is not saved yet. */
export function Effect({ view: { atOnce, onceAsked } }: { view: EffectView }) {
  return (
    <div className="flex flex-col gap-4">
      {(onceAsked === null || atOnce.lines.length + atOnce.uncompared > 0) && (
        <EffectLines lines={atOnce} />
      )}
      {onceAsked !== null && (
        <div>
          <p className="text-muted">
            {onceAsked.when}, it is answered without asking you. From then on:
          </p>
          <div className="mt-2">
            <EffectLines lines={onceAsked.lines} />
          </div>
        </div>
      )}
    </div>
  );
}

function EffectLines({ lines: { lines, more, uncompared } }: { lines: Lines }) {
  if (lines.length + uncompared === 0) return <p>Nobody gains or loses anything.</p>;
  return (
    <ul className="flex flex-col gap-2">
      {lines.map(({ key, who, gains, loses }) => (
        <li key={key} className="rounded-box border border-line bg-surface px-3 py-2 wrap-anywhere">
          {typeof who === "string" ? (
            <span className="font-semibold">{who}</span>
          ) : (
            <AgentName agent={who} />
          )}{" "}
          {gains}
          {gains !== null && loses !== null && "; "}
          {loses !== null && <span className="text-danger">{loses}</span>}.
        </li>
      ))}
      {more > 0 && <li className="text-muted">And {counted(more, "more agent")}.</li>}
      {uncompared > 0 && (
        <li className="text-muted">
          The rule may change access for {counted(uncompared, "more agent")} that this preview
          leaves out.
        </li>
      )}
    </ul>
  );
}
