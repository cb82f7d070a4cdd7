"use client";

import { Fragment } from "react";
import { Icon, type IconName } from "../../../../_components/icon";
import { InertText } from "../../../../_components/shown/inert-text";
import { useZone } from "../../../../_components/shown/zone";
import { dayWords } from "../../../../_components/words/time";
import { Act } from "./acts";
import type { Likeness } from "./card-data";
import type { CardWork } from "./use-card";

/** What the claim is to something known, and the one act for that; or why the card was refused. */
export function LikenessLine({ work }: { work: CardWork }) {
  return (
    <div className="mx-4 flex min-h-17.5 items-center gap-2.5 rounded-box border border-line py-1 pr-2 pl-3.5 text-small rail:mx-7 rail:min-h-13">
      {work.message === null ? (
        work.likeness !== undefined && <Line work={work} likeness={work.likeness} />
      ) : (
        <p role="alert" className="text-danger">
          {work.message}
        </p>
      )}
    </div>
  );
}

interface Saying {
  icon: IconName;
  words: string;
  /** What it is close to, and where that is wholly to be read. */
  close?: { text: string; href: string };
}

function sayingOf(likeness: Likeness, zone: string): Saying {
  switch (likeness.kind) {
    case "none":
      return { icon: "check", words: "No memory of yours is close to it." };
    case "unread":
      return { icon: "hourglass", words: "Not compared with your memories yet." };
    case "same": {
      const words =
        likeness.content === undefined
          ? `You have this already, in ${likeness.title}.`
          : `You have this or nearly this already, in ${likeness.title}:`;
      const close =
        likeness.content === undefined ? undefined : closeTo(likeness.memoryId, likeness.content);
      return { icon: "equals", words, close };
    }
    case "rejected": {
      const words = `You rejected this on ${dayWords(new Date(likeness.at), zone)}.`;
      return { icon: "arrow-counter-clockwise", words };
    }
    case "contradicts":
    case "updates":
    case "outdated":
    case "close": {
      const close = closeTo(likeness.memoryId, likeness.content);
      return { ...near[likeness.kind], close };
    }
    case "waiting":
    case "twin":
    case "opposite": {
      const href = `/dashboard/proposals?card=${likeness.proposalId}`;
      return { ...waiting[likeness.kind], close: { text: likeness.content, href } };
    }
  }
}

const near = {
  contradicts: { icon: "arrows-left-right", words: "You have the opposite:" },
  updates: {
    icon: "clock-counter-clockwise",
    words: "You have an older one. Keep both, or replace it?",
  },
  outdated: { icon: "clock-counter-clockwise", words: "You have a newer one:" },
  close: { icon: "approximate-equals", words: "Close to one of yours:" },
} as const;

const waiting = {
  waiting: { icon: "approximate-equals", words: "Close to another that waits:" },
  twin: { icon: "equals", words: "Another that waits says the same:" },
  opposite: { icon: "arrows-left-right", words: "Another that waits says the opposite:" },
} as const;

function closeTo(memoryId: string, text: string) {
  return { text, href: `/dashboard/memories/${memoryId}` };
}

function Line({ work, likeness }: { work: CardWork; likeness: Likeness }) {
  const { icon, words, close } = sayingOf(likeness, useZone());
  return (
    // Elements of its own for each finding: the same ones with other words would count as moved.
    <Fragment key={`${words} ${close?.href}`}>
      <Icon icon={icon} />
      <p className="line-clamp-3 min-w-0 flex-1 overflow-clip rail:line-clamp-1">
        <b className="font-semibold">{words}</b>{" "}
        {close !== undefined && (
          <a href={close.href} className="link">
            <InertText text={close.text} />
          </a>
        )}
      </p>
      <LineAct work={work} likeness={likeness} />
    </Fragment>
  );
}

function LineAct({ work, likeness }: { work: CardWork; likeness: Likeness }) {
  const act = { look: "quiet", decides: true, work, className: "rail:min-h-8" } as const;
  if (likeness.kind === "same" || likeness.kind === "rejected") {
    return (
      <Act {...act} act="likeness" keys="D" intent="reject">
        {likeness.kind === "same" ? "Drop the duplicate" : "Reject again"}
      </Act>
    );
  }
  if (!("memoryId" in likeness) || likeness.kind === "outdated") return null;
  return (
    <>
      <input type="hidden" name="memoryId" value={likeness.memoryId} />
      {work.secondAct === null ? (
        <Act {...act} act="replace" intent="replace">
          Replace that one
        </Act>
      ) : (
        <Act {...act} act="replace" opens="replace">
          Replace that one…
        </Act>
      )}
    </>
  );
}
