import type { Audience } from "@/lib/services/access/sight/audience";
import type { MemoryState } from "@/lib/services/memories/shown";
import { Icon } from "../../../_components/icon";
import { ReaderTiles } from "../../audience/audience-button";
import { audienceShort, audienceWords, nobody, readersOf } from "../../audience/audience-words";

interface ReadersProps {
  state: MemoryState;
  audience: Audience | undefined;
}

/** Who can read a memory, now or after saying why, in a row's width; its page names them all. */
export function Readers({ state, audience }: ReadersProps) {
  const shown = (state === "live" && audience) || nobody;
  const words = audienceWords(shown);
  const { read, take } = readersOf(shown);
  return (
    <span className="flex items-center gap-1.5 text-small text-muted" title={words}>
      {read === null && take === null ? (
        <Icon icon="lock-simple-fill" className="size-4" />
      ) : (
        <span className="inline-flex max-rail:hidden">
          <ReaderTiles audience={shown} max={3} />
        </span>
      )}
      <span className="sr-only">{words}</span>
      <span aria-hidden="true" className="whitespace-nowrap">
        {audienceShort(shown)}
      </span>
    </span>
  );
}
