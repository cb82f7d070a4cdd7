import { useId } from "react";
import type { Policy } from "@/lib/rules/facts";
import type { Audience } from "@/lib/services/access/sight/audience";
import { readerZone } from "../../_components/shell/reader-zone";
import { AgentName } from "../../_components/shown/agent-name";
import { Identicon } from "../../_components/shown/identicon";
import { InertText } from "../../_components/shown/inert-text";
import { counted } from "../../_components/words/list";
import { policySentence } from "../policy-sentence";

const tilesMax = 5;
const namedMax = 8;

interface AudienceButtonProps {
  audience: Audience;
  /** Who can read it, as a sentence. */
  words: string;
  /** What the button says instead, where there is one line for it. */
  short?: string;
}

/** Who can read something, now or after saying why: pictures and words, which open to names and rules over the page. */
export function AudienceButton({ audience, words, short }: AudienceButtonProps) {
  const id = useId();
  const named = [
    ...audience.agents.map((reader) => ({ reader, isTaker: false })),
    ...audience.takers.map((reader) => ({ reader, isTaker: true })),
  ];
  if (named.length === 0) return <span title={words}>{short ?? words}</span>;
  return (
    <>
      <ReaderTiles audience={audience} />
      <button
        type="button"
        popoverTarget={id}
        title={words}
        className={`relative min-h-8 min-w-0 link text-left font-medium text-ink ${short === undefined ? "line-clamp-2" : "truncate"}`}
      >
        {short ?? words}
        {short !== undefined && <span className="sr-only">: {words}</span>}
      </button>
      <div
        id={id}
        popover="auto"
        className="menu max-w-90 p-3 text-small font-normal whitespace-normal"
      >
        {short !== undefined && <p className="mb-1.5">{words}.</p>}
        <ul className="flex flex-col gap-1.5">
          {named.slice(0, namedMax).map(({ reader, isTaker }) => (
            <li key={reader.did}>
              <AgentName agent={reader} className="font-medium" />
              <Why policy={reader.policy} isTaker={isTaker} />
            </li>
          ))}
          {named.length > namedMax && <li>and {counted(named.length - namedMax, "more agent")}</li>}
        </ul>
      </div>
    </>
  );
}

/** The agents by their pictures. */
export function ReaderTiles({ audience, max = tilesMax }: { audience: Audience; max?: number }) {
  return (
    <span className="inline-flex gap-1">
      {[...audience.agents, ...audience.takers].slice(0, max).map(({ did }) => (
        <Identicon key={did} did={did} className="size-5.5" />
      ))}
    </span>
  );
}

// The sentence of a rule names its end, and what an agent has to say before.
async function Why({ policy, isTaker }: { policy: Policy; isTaker: boolean }) {
  const sentence = policySentence(policy, await readerZone());
  return (
    <span className="block text-small wrap-anywhere">
      {isTaker ? "After saying why, by" : "By"} your rule: <InertText text={sentence} />
    </span>
  );
}
