"use client";

import { type MouseEvent, memo, type ReactNode } from "react";
import { Button } from "../../../_components/button";
import { Icon, type IconName } from "../../../_components/icon";
import { InertText } from "../../../_components/shown/inert-text";
import { counted } from "../../../_components/words/list";
import type { InboxCard, ShownCategory } from "./card/card-data";
import { isFlagged } from "./card/second-act";
import { GroupMenu, type GroupMenuProps } from "./group-menu";
import { type Group, isPlain } from "./groups";
import { LastLine } from "./last";
import type { InboxWork } from "./use-inbox";

const foot =
  "min-h-20 flex-none border-t border-line pr-2 pl-4 has-[[role=status]:empty]:border-transparent";

/** What waits, one line each. On a phone it opens over the card. */
export const Queue = memo(function Queue({ inbox }: { inbox: InboxWork }) {
  const { card, groups, beyond, late, showLate, head } = inbox;
  const hasCard = card !== undefined;
  return (
    <>
      <section
        id="queue"
        popover={hasCard ? "auto" : undefined}
        data-over={hasCard ? "" : undefined}
        aria-label="What waits"
        className="flex min-h-0 flex-col border-line bg-canvas text-ink max-rail:open:inset-0 max-rail:open:size-full max-rail:data-over:not-open:hidden rail:static rail:size-auto rail:overflow-visible rail:border-r print:hidden"
      >
        {head}
        <div className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
          {groups.map((group) => (
            <Lines key={group.key} inbox={inbox} group={group} />
          ))}
          {beyond > 0 && (
            <p className="px-2 py-3 text-small text-muted">
              {counted(beyond, "more comes", "more come")} as you decide these.
            </p>
          )}
        </div>
        <LastLine inbox={inbox} className={foot} />
      </section>
      {late > 0 && (
        <Button
          look="secondary"
          onClick={showLate}
          className="fixed bottom-21 left-1/2 z-10 -translate-x-1/2 shadow-float rail:absolute rail:bottom-16 rail:left-31 full:left-38 print:hidden"
        >
          {late.toLocaleString("en")} new, show
        </Button>
      )}
    </>
  );
});

// A line out of view is not drawn; one with the focus is not cut, so that its ring is whole.
const onlyInView = "[content-visibility:auto] focus-within:[content-visibility:visible]";

function Lines({ inbox, group }: { inbox: InboxWork; group: Group }) {
  const { card: current, known, address, go, isTakenBack, decideGroup } = inbox;
  return (
    <>
      {group.key !== "" && <GroupHead {...headOf(inbox, group)} decide={decideGroup} />}
      <ul>
        {group.cards.map((card) => (
          <li
            key={card.id}
            className={`${onlyInView} [contain-intrinsic-block-size:2.75rem] rail:[contain-intrinsic-block-size:2rem]`}
          >
            <Row
              {...{ card, address, go, isTakenBack }}
              category={known.categories[card.category]}
              isCurrent={card.id === current?.id}
              isFlagged={isFlagged(card, known)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function headOf({ by, known, counts, seen }: InboxWork, { key, cards }: Group) {
  const agent = known.agents[key];
  const plain = cards.filter((card) => isPlain(card, known));
  return {
    name: (by === "agent" ? agent?.name : known.categories[key]?.title) ?? key,
    tile: agent?.tile,
    count: counts[key] ?? cards.length,
    listed: cards.length,
    looked: cards.filter(({ id }) => seen.has(id)).length,
    plainIds: plain.map(({ id }) => id).join(","),
  };
}

interface GroupHeadProps extends GroupMenuProps {
  tile: ReactNode;
}

const GroupHead = memo(function GroupHead({ tile, ...group }: GroupHeadProps) {
  const { name, count } = group;
  return (
    <div
      className={`${onlyInView} flex items-center gap-2 px-2 pt-1 text-small [contain-intrinsic-block-size:3rem] rail:[contain-intrinsic-block-size:2.5rem]`}
    >
      {tile !== undefined && <span className="size-5 flex-none">{tile}</span>}
      <h2 className="min-w-0 truncate font-semibold">{name}</h2>
      <span className="ml-auto text-muted tabular-nums">{count.toLocaleString("en")}</span>
      <GroupMenu {...group} />
    </div>
  );
});

const lineMax = 160;

interface RowProps extends Pick<InboxWork, "address" | "go" | "isTakenBack"> {
  card: InboxCard;
  category: ShownCategory | undefined;
  isCurrent: boolean;
  isFlagged: boolean;
}

// Of a hundred rows a decision changes two.
const Row = memo(function Row(props: RowProps) {
  const { card, category, isCurrent, isFlagged, isTakenBack, address, go } = props;
  function select(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(card.id);
  }
  const query = new URLSearchParams([...address.map((field) => [...field]), ["card", card.id]]);
  return (
    <a
      href={`/dashboard/proposals?${query}`}
      aria-current={isCurrent ? "true" : undefined}
      onClick={select}
      className="flex min-h-11 items-center gap-2 rounded-control px-2 text-small hover:bg-sunken aria-[current=true]:bg-signal aria-[current=true]:font-semibold aria-[current=true]:text-on-signal aria-[current=true]:[&_bdi_span]:border-current aria-[current=true]:[&_bdi_span]:bg-transparent aria-[current=true]:[&_bdi_span]:text-inherit rail:min-h-8 forced-colors:aria-[current=true]:outline-2"
    >
      <Icon icon={category?.icon ?? "tag"} className={`size-4 ${isCurrent ? "" : "text-muted"}`} />
      <span className="min-w-0 flex-1 truncate">
        <InertText text={card.line ?? card.content.slice(0, lineMax)} />
      </span>
      {isTakenBack && isCurrent ? (
        <Flag icon="x" words="Its agent took it back" />
      ) : category?.sensitive != null ? (
        <Flag
          icon="shield-warning"
          words="Sensitive"
          className={isCurrent ? "" : "text-sensitive"}
        />
      ) : isFlagged ? (
        <Flag
          icon="warning"
          words="Read this one closely"
          className={isCurrent ? "" : "text-sensitive"}
        />
      ) : (
        <LikenessFlag kind={card.likeness?.kind} />
      )}
    </a>
  );
});

function LikenessFlag({ kind }: { kind: string | undefined }) {
  switch (kind) {
    case "same":
      return <Flag icon="equals" words="You have this already" />;
    case "contradicts":
      return <Flag icon="arrows-left-right" words="You have the opposite" />;
    case "rejected":
      return <Flag icon="arrow-counter-clockwise" words="You rejected this before" />;
  }
}

function Flag({ icon, words, className }: { icon: IconName; words: string; className?: string }) {
  return (
    <span title={words} className={className}>
      <Icon icon={icon} className="size-4" />
      <span className="sr-only">{words}</span>
    </span>
  );
}
