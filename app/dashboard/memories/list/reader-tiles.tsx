import type { Audience } from "@/lib/services/access/sight/audience";
import type { MemoryState } from "@/lib/services/memories/shown";
import { Icon } from "../../../_components/icon";
import { agentWords } from "../../../_components/shown/agent-name";
import { Identicon } from "../../../_components/shown/identicon";
import { list } from "../../../_components/words/list";

interface ReaderTilesProps {
  state: MemoryState;
  audience: Audience | undefined;
}

const tilesMax = 3;

/** Who can read a memory now, in a row's width; its page names them all. */
export function ReaderTiles({ state, audience }: ReaderTilesProps) {
  const { everyone = null, agents = [] } = state === "live" ? (audience ?? {}) : {};
  if (everyone === null && agents.length === 0) {
    return (
      <span
        className="flex items-center gap-1.5 text-small text-muted"
        title="No agent can read it"
      >
        <Icon icon="lock-simple-fill" className="size-4" />
        nobody
      </span>
    );
  }
  if (everyone === "all") return <span className="text-small text-muted">every agent</span>;
  const verified = everyone === "verified" ? ["every other verified agent"] : [];
  const words = `${list([...agents.map(agentWords), ...verified])} can read it`;
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
