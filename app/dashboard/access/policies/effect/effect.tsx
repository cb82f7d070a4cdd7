import type { ReactNode } from "react";
import { Icon } from "../../../../_components/icon";
import { Identicon } from "../../../../_components/shown/identicon";
import { InertText } from "../../../../_components/shown/inert-text";
import { counted, grouped } from "../../../../_components/words/list";
import type { EffectLine, EffectView, Lines } from "./effect-view";

/** Shows which agents gain and lose access by a change that is not saved yet. */
export function Effect({ view: { atOnce, onceAsked, broad } }: { view: EffectView }) {
  return (
    <div className="flex flex-col gap-4">
      {(onceAsked === null || atOnce.lines.length + atOnce.uncompared > 0) && (
        <EffectLines lines={atOnce} isBroad={broad !== null} />
      )}
      {onceAsked !== null && (
        <div className="flex flex-col gap-2">
          <p className="text-theirs-muted">
            {onceAsked.when}, it is answered without asking you. From then on:
          </p>
          <EffectLines lines={onceAsked.lines} isBroad={broad !== null} />
        </div>
      )}
    </div>
  );
}

function EffectLines({ lines, isBroad }: { lines: Lines; isBroad: boolean }) {
  const { gaining, unverified, losing, more, uncompared } = lines;
  const gain = isBroad
    ? "border border-sensitive bg-sensitive-soft text-sensitive"
    : "bg-open-soft text-open";
  if (lines.lines.length + uncompared === 0) return <p>Nobody gains or loses anything.</p>;
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap gap-2">
        <Chip count={gaining} verbs={["gains", "gain"]} look={gain}>
          {isBroad && unverified > 0 && `, ${unverified.toLocaleString("en")} of them not verified`}
        </Chip>
        <Chip count={losing} verbs={["loses", "lose"]} look="bg-danger-soft text-danger" />
      </p>
      <ul className="flex flex-col">
        {Array.from(grouped(lines.lines, saidOf), ([said, alike]) => (
          <Alike key={said} lines={alike} />
        ))}
        {more > 0 && <li className="pt-2.5">And {counted(more, "more agent")}.</li>}
        {uncompared > 0 && (
          <li className="pt-2.5">
            The rule may change access for {counted(uncompared, "more agent")} that this preview
            leaves out.
          </li>
        )}
      </ul>
    </div>
  );
}

const saidOf = ({ gains, loses }: EffectLine) => JSON.stringify([gains, loses]);

/** Those that gain and lose the same. */
function Alike({ lines }: { lines: readonly EffectLine[] }) {
  const [{ gains = null, loses = null, count = "" } = {}] = lines;
  return (
    <li className="flex items-start gap-3 border-t border-theirs-line py-2.5">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5 wrap-anywhere">
        {lines.map(({ key, who }) => (
          <Who key={key} who={who} />
        ))}
        <div className="pl-9 text-small">
          {gains !== null && <p className="text-theirs-muted">{gains}</p>}
          {loses !== null && <p className="text-danger">{loses}</p>}
        </div>
      </div>
      <span className="font-semibold tabular-nums">{count}</span>
    </li>
  );
}

function Who({ who }: Pick<EffectLine, "who">) {
  const isMany = typeof who === "string";
  return (
    <div className="flex items-start gap-3" title={isMany ? undefined : who.did}>
      {isMany ? <Icon icon="users" className="size-6" /> : <Identicon did={who.did} />}
      <p className="min-w-0 flex-1 font-semibold">
        {isMany ? who : <InertText text={who.name} />}
        {!isMany && !who.verified && (
          <span className="block text-small font-normal text-theirs-muted">Not verified</span>
        )}
      </p>
    </div>
  );
}

interface ChipProps {
  /** Of the agents that know the profile today. */
  count: number;
  verbs: [one: string, many: string];
  look: string;
  children?: ReactNode;
}

function Chip({ count, verbs: [one, many], look, children }: ChipProps) {
  const who = count === 0 ? "No agent" : counted(count, "agent");
  return (
    <span
      className={`rounded-key px-2 py-0.5 text-small font-semibold ${count > 0 ? look : "bg-surface"}`}
    >
      {who} of today {count > 1 ? many : one}
      {children}
    </span>
  );
}
