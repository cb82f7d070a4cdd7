import type { ReactNode } from "react";
import { Icon } from "../../../../_components/icon";
import { Identicon } from "../../../../_components/shown/identicon";
import { InertText } from "../../../../_components/shown/inert-text";
import { categoryWords } from "../../../../_components/words/category";
import { counted, list } from "../../../../_components/words/list";
import type { EffectLine, EffectView, Lines } from "./effect-view";

/** Shows which agents gain and lose access by a change that is not saved yet. */
export function Effect({ view: { atOnce, onceAsked, broad } }: { view: EffectView }) {
  const never = (broad?.rows ?? []).filter(({ isClosed }) => isClosed);
  return (
    <div className="flex flex-col gap-4">
      {never.length > 0 && (
        <p className="rounded-control bg-surface p-3 text-small">
          Your “never” rules still win: {list(never.map(({ category }) => categoryWords(category)))}
          .
        </p>
      )}
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
        {together(lines.lines).map((line, at, all) => (
          <Line key={line.key} line={line} before={all[at - 1]} />
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

/** In the same order, but who gains and loses the same stands together. */
function together(lines: readonly EffectLine[]): EffectLine[] {
  const placeOf = (line: EffectLine) => lines.findIndex((other) => saysTheSame(line, other));
  return lines.toSorted((one, other) => placeOf(one) - placeOf(other));
}

function saysTheSame(one: EffectLine, other: EffectLine | undefined): boolean {
  return one.gains === other?.gains && one.loses === other.loses;
}

interface LineProps {
  line: EffectLine;
  /** The line above, which may say the same. */
  before: EffectLine | undefined;
}

function Line({ line, before }: LineProps) {
  const { who, gains, loses, count } = line;
  const isSame = saysTheSame(line, before);
  const isMany = typeof who === "string";
  return (
    <li className="flex items-start gap-3 border-t border-theirs-line py-2.5">
      {isMany ? <Icon icon="users" className="size-6" /> : <Identicon did={who.did} />}
      <div className="min-w-0 flex-1 wrap-anywhere" title={isMany ? undefined : who.did}>
        <p className="font-semibold">{isMany ? who : <InertText text={who.name} />}</p>
        {!isMany && !who.verified && <p className="text-small text-theirs-muted">Not verified</p>}
        {isSame && <p className="text-small text-theirs-muted">the same</p>}
        {!isSame && gains !== null && <p className="text-small text-theirs-muted">{gains}</p>}
        {!isSame && loses !== null && <p className="text-small text-danger">{loses}</p>}
      </div>
      <span className="font-semibold tabular-nums">{count}</span>
    </li>
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
