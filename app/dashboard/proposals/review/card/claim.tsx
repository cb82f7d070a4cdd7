import type { ReactNode } from "react";
import { type FlagKind, flagKinds } from "@/lib/protocol/flags";
import { Icon } from "../../../../_components/icon";
import { InertText } from "../../../../_components/shown/inert-text";
import { flagKindsOf, flagWords } from "../../../../_components/words/flag";
import { WordDiff } from "../diff/diff-view";
import type { InboxCard } from "./card-data";
import type { CardWork } from "./use-card";

/** The agent's words and their flags, as large as they fit; what does not fit scrolls in its own box. */
export function Claim({ work }: { work: CardWork }) {
  const { card, mode, text, isLong } = work;
  const { id, content, flags } = card;
  const edited = mode === "edit" || mode === "save" ? text : null;
  const edge = "absolute size-px";
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fields are grouped
    <div
      ref={work.claim}
      data-claim
      tabIndex={isLong ? 0 : undefined}
      role="group"
      aria-label="The claim"
      className="mt-4 min-h-16 flex-auto overflow-y-auto rail:mt-10"
    >
      <div className="relative">
        <span data-edge className={`${edge} top-0`} />
        <h2 id={`claim-${id}`} className={`font-medium ${sizeOf(content, edited !== null)}`}>
          {edited === null || edited === content ? (
            <InertText text={content} lines marks={flags.filter((flag) => flag.in === "content")} />
          ) : (
            <WordDiff before={content} after={edited} />
          )}
        </h2>
        <Flags work={work} />
        <span data-edge className={`${edge} bottom-0`} />
      </div>
    </div>
  );
}

/** Why the claim asks for a closer look, beside the words that are underlined in it. */
function Flags({ work: { card, known, sensitive } }: { work: CardWork }) {
  const kinds = flagKindsOf(card.flags);
  const stops = kinds.filter((kind) => flagKinds[kind] === "stop");
  const looks = kinds.filter((kind) => flagKinds[kind] === "look");
  const names = known.agents[card.agent]?.nameFlags ?? [];
  if (sensitive === null && kinds.length === 0 && names.length === 0) return null;
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {sensitive !== null && (
        <Flag>
          <Icon icon="shield-warning" className="size-4" /> Sensitive: {sensitive}
        </Flag>
      )}
      {stops.map((kind) => (
        <Flag key={kind}>
          <Icon icon="warning" className="size-4" /> {wordsOf(card, kind)}
        </Flag>
      ))}
      {names.map((kind) => (
        <Flag key={`name ${kind}`}>
          <Icon icon="warning" className="size-4" /> The agent’s name:{" "}
          {flagWords[kind].toLowerCase()}
        </Flag>
      ))}
      {looks.map((kind) => (
        <p key={kind} className="w-full text-small text-theirs-muted">
          {wordsOf(card, kind)}.
        </p>
      ))}
    </div>
  );
}

/** What the flag says, and of what, where that is not the claim. */
function wordsOf({ flags, imported }: InboxCard, kind: FlagKind): string {
  if (flags.some((flag) => flag.kind === kind && flag.in === "content")) return flagWords[kind];
  return `${imported === null ? "Its reason" : "The heading there"}: ${flagWords[kind].toLowerCase()}`;
}

function Flag({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex min-h-6.5 items-center gap-1.5 rounded-key border border-sensitive bg-sensitive-soft px-2 text-small font-medium text-sensitive">
      {children}
    </span>
  );
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\u{1f300}-\u{3fffd}]/u;
// A line break takes the rest of its line.
const breakWidth = 40;

function sizeOf(content: string, isEdited: boolean): string {
  let width = 0;
  for (const one of content) width += one === "\n" ? breakWidth : wide.test(one) ? 2 : 1;
  if (width > 700) return "text-[16px]/6";
  if (width > 160) return "text-[16px]/[23px] rail:text-[19px]/7";
  return isEdited
    ? "text-[20px]/7 tracking-tight text-balance rail:text-title/8"
    : "text-title/8 tracking-tight text-balance rail:text-claim";
}
