import { useId } from "react";
import type { Audience, Reader } from "@/lib/services/access/sight/audience";
import { readerZone } from "../../_components/shell/reader-zone";
import { AgentName } from "../../_components/shown/agent-name";
import { Identicon } from "../../_components/shown/identicon";
import { InertText } from "../../_components/shown/inert-text";
import { counted } from "../../_components/words/list";
import { policySentence } from "../policy-sentence";

const tilesMax = 5;
const namedMax = 10;

interface AudienceButtonProps {
  audience: Audience;
  /** What the button says: who can read it. */
  words: string;
}

/** Who can read something, or may take it: pictures and words, which open to names and rules over the page. */
export function AudienceButton({ audience, words }: AudienceButtonProps) {
  const id = useId();
  const named = [
    ...audience.agents.map((reader) => ({ reader, takes: false })),
    ...audience.takers.map((reader) => ({ reader, takes: true })),
  ];
  if (named.length === 0) return words;
  return (
    <>
      <span className="inline-flex gap-1">
        {audience.agents.slice(0, tilesMax).map(({ did }) => (
          <Identicon key={did} did={did} className="size-5.5" />
        ))}
      </span>
      <button
        type="button"
        popoverTarget={id}
        title={words}
        className="line-clamp-2 min-h-9 min-w-0 link text-left font-medium text-ink"
      >
        {words}
      </button>
      <div id={id} popover="auto" className="menu max-w-90 p-3 text-small whitespace-normal">
        <ul className="flex flex-col gap-1.5">
          {named.slice(0, namedMax).map(({ reader, takes }) => (
            <li key={reader.did}>
              <AgentName agent={reader} className="font-medium" />
              <Why reader={reader} takes={takes} />
            </li>
          ))}
          {named.length > namedMax && <li>and {counted(named.length - namedMax, "more agent")}</li>}
        </ul>
      </div>
    </>
  );
}

// The sentence of a rule names its end.
async function Why({ reader: { policy }, takes }: { reader: Reader; takes: boolean }) {
  const sentence = policySentence(policy, await readerZone());
  return (
    <span className="block text-small wrap-anywhere">
      {takes && "may take it without asking, "}by your rule: <InertText text={sentence} />
    </span>
  );
}
