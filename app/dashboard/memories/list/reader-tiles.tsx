import type { Audience } from "@/lib/services/access/sight/audience";
import type { MemoryState } from "@/lib/services/memories/shown";
import { Icon } from "../../../_components/icon";
import { Identicon } from "../../../_components/shown/identicon";
import { audienceWords, nobody, readersOf } from "../../audience/audience-words";

interface ReaderTilesProps {
  state: MemoryState;
  audience: Audience | undefined;
}

const tilesMax = 3;

/** Who can read a memory now, or may take it without asking, in a row's width; its page names them all. */
export function ReaderTiles({ state, audience }: ReaderTilesProps) {
  const shown = (state === "live" && audience) || nobody;
  const { everyone, agents } = shown;
  const { read, take } = readersOf(shown);
  const words = audienceWords(shown);
  if (read === null) {
    return (
      <span className="flex items-center gap-1.5 text-small text-muted" title={words}>
        <Icon icon={take === null ? "lock-simple-fill" : "handshake"} className="size-4" />
        {take === null ? "nobody" : `${take}, without asking`}
      </span>
    );
  }
  if (everyone === "all") return <span className="text-small text-muted">every agent</span>;
  const more = agents.length - tilesMax;
  return (
    <span className="flex items-center gap-1" title={words}>
      <span className="sr-only">{words}</span>
      {agents.slice(0, tilesMax).map(({ did }) => (
        <Identicon key={did} did={did} className="size-5.5" />
      ))}
      <span aria-hidden="true" className="ml-0.5 text-small whitespace-nowrap text-muted">
        {more > 0 && `+${more} `}
        {everyone === "verified" && (agents.length === 0 ? "all verified" : "+ all verified")}
      </span>
    </span>
  );
}
