import Link from "next/link";
import type { Audience } from "@/lib/services/access/sight/audience";
import { goneAt } from "@/lib/services/memories/purge";
import { type ShownMemory, stateOf } from "@/lib/services/memories/shown";
import { Icon } from "../../../_components/icon";
import { Menu, MenuLink, menuDanger, menuItem } from "../../../_components/menu";
import { agentWords } from "../../../_components/shown/agent-name";
import { CategoryChip } from "../../../_components/shown/category-chip";
import { Identicon } from "../../../_components/shown/identicon";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { beginningOf } from "../beginning";
import { changeNames, changesOf } from "../words";
import { Readers } from "./readers";

interface RowProps {
  /** The owner's. */
  did: string;
  memory: ShownMemory;
  audience: Audience | undefined;
  now: Date;
}

const textMax = 280;

/** A memory in the list: a line of it where there is room, on a phone a card. */
export function Row({ did, memory, audience, now }: RowProps) {
  const { id, content, category, updatedAt } = memory;
  const label = beginningOf(content);
  const characters = Array.from(content.slice(0, 2 * textMax));
  const text = characters.slice(0, textMax).join("");
  return (
    <article
      id={id}
      tabIndex={-1}
      aria-label={`Memory: ${label}`}
      className="relative col-span-full grid grid-cols-[auto_minmax(0,1fr)_auto_auto] items-center gap-x-2 gap-y-1 border-b border-line py-2.5 pr-1 pl-1.5 has-[[name^=mem\_]:checked]:bg-sunken rail:min-h-11 rail:grid-cols-subgrid rail:gap-x-0 rail:p-0 rail:hover:bg-sunken"
    >
      {/* On a phone the menu of a row begins to choose; then each row has its tick. */}
      <label className="row-span-2 flex size-11 items-center justify-center not-focus-within:not-in-[form:has([name^=mem\_]:checked)]:max-rail:sr-only rail:row-span-1">
        <input
          id={`tick-${id}`}
          type="checkbox"
          name={id}
          value={updatedAt.toISOString()}
          aria-label={`Tick: ${label}`}
          className="size-4.5 accent-ink"
        />
      </label>
      <Link
        href={`/dashboard/memories/${id}`}
        prefetch={false}
        className="col-span-2 col-start-2 line-clamp-4 min-w-0 hover:underline rail:col-span-1 rail:col-start-auto rail:my-1.5 rail:line-clamp-2"
      >
        <InertText text={text} />
        {text.length < content.length && "…"}
      </Link>
      <div className="col-span-2 col-start-2 row-start-2 flex flex-wrap items-center gap-x-3 gap-y-1 rail:contents">
        <div className="max-w-full min-w-0 rail:px-2.5">
          <CategoryChip category={category} compact />
        </div>
        <div className="rail:px-2.5">
          <Readers state={stateOf(memory)} audience={audience} />
        </div>
      </div>
      <From did={did} memory={memory} />
      <Kept memory={memory} now={now} />
      <div className="col-start-4 row-span-2 row-start-1 rail:col-start-auto rail:row-span-1 rail:row-start-auto">
        <RowMenu memory={memory} label={label} />
      </div>
    </article>
  );
}

function From({ did, memory: { agent, source } }: { did: string; memory: ShownMemory }) {
  const name = agent !== null ? agentWords(agent) : source === "imported" ? "Imported" : "You";
  return (
    <span className="hidden min-w-0 items-center gap-2 px-2.5 full:flex" title={agent?.did}>
      <span className="sr-only">From </span>
      <Identicon did={agent?.did ?? did} className="size-5.5" />
      <span className="truncate">{name}</span>
    </span>
  );
}

function Kept({ memory, now }: { memory: ShownMemory; now: Date }) {
  const end = goneAt(memory);
  return (
    <span className="hidden px-2.5 text-small text-muted full:block">
      {end === null ? <span className="sr-only">Kept </span> : "Gone "}
      <When at={end ?? memory.createdAt} now={now} />
    </span>
  );
}

function RowMenu({ memory, label }: { memory: ShownMemory; label: string }) {
  const { id, updatedAt } = memory;
  const state = stateOf(memory);
  const page = `/dashboard/memories/${id}`;
  return (
    <Menu label={`More for: ${label}`}>
      <label htmlFor={`tick-${id}`} className={`${menuItem} rail:hidden`}>
        <Icon icon="check" className="size-4" />
        Choose several
      </label>
      {state !== "deleted" && (
        <>
          <MenuLink href={`${page}?edit=text`} icon="pencil-simple" text="Edit" />
          <MenuLink href={`${page}?edit=category`} icon="folder-simple" text="Move to…" />
        </>
      )}
      <MenuLink href={page} icon="clock-counter-clockwise" text="History" />
      {changesOf[state].map((how) => (
        <button
          key={how}
          type="submit"
          name="how"
          value={`${how} ${id} ${updatedAt.toISOString()}`}
          className={how === "delete" ? menuDanger : menuItem}
        >
          <Icon icon={changeNames[how].icon} className="size-4" />
          {changeNames[how].text}
        </button>
      ))}
    </Menu>
  );
}
