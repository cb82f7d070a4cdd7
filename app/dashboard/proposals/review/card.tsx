"use client";

import type { ReactNode } from "react";
import { InertText } from "../../../_components/shown/inert-text";
import { Pick } from "../bulk/pick";
import type { MatchView } from "../matches/match-view";
import { Matches } from "../matches/matches";
import { CardActions, type CardState } from "./card-actions";
import type { Mark } from "./queue";
import type { Sending } from "./verdict";

export interface InboxCard {
  id: string;
  content: string;
  label: string;
  /** Rendered by the server. */
  body: ReactNode;
  /** Null where the page came without them. */
  matches: MatchView[] | null;
}

interface CardProps extends Sending {
  card: InboxCard;
  mark: Mark | undefined;
  matches: MatchView[] | null;
  isCurrent: boolean;
  isHere: (proposalId: string) => boolean;
  posted: CardState | null;
  arrive: () => void;
}

export function Card({
  card,
  mark,
  matches,
  isCurrent,
  isHere,
  posted,
  arrive,
  ...send
}: CardProps) {
  if (mark?.kind === "done") return <Settled card={card} message={mark.message} />;
  const { id, content, label, body } = card;
  const isSending = mark?.kind === "sending";
  return (
    <article
      id={id}
      tabIndex={-1}
      aria-label={label}
      aria-current={isCurrent ? "true" : undefined}
      aria-busy={isSending}
      onFocus={arrive}
      className="scroll-mt-20 rounded-box border border-line bg-surface p-4 shadow-raised aria-busy:opacity-60 aria-[current=true]:border-accent sm:p-6"
    >
      <div className="relative">
        <Pick id={id} label={label} isSending={isSending} />
        {body}
      </div>
      <Matches
        id={id}
        content={content}
        matches={matches}
        isHere={isHere}
        isSending={isSending}
        {...send}
      />
      <CardActions
        id={id}
        content={content}
        state={mark?.kind === "refused" ? mark.state : posted}
        isSending={isSending}
        {...send}
      />
    </article>
  );
}

function Settled({ card, message }: { card: InboxCard; message: string }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 rounded-box border border-dashed border-edge/60 px-4 py-2 sm:px-6">
      <span className="font-medium">{message}</span>
      <span className="min-w-0 flex-1 basis-60 truncate text-muted">
        <InertText text={card.content.slice(0, 160)} />
      </span>
    </p>
  );
}
