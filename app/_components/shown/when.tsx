"use client";

import { clockTime, exactTime, relativeTime } from "../words/time";
import { useZone } from "./zone";

interface WhenProps {
  at: Date;
  now: Date;
}

/** A time as people say it, with the exact one on hover. The caller's clock, so that it says one thing. */
export function When({ at, now }: WhenProps) {
  return (
    <time
      dateTime={at.toISOString()}
      title={exactTime(at, useZone())}
      className="whitespace-nowrap"
    >
      {relativeTime(at, now)}
    </time>
  );
}

/** The time of a day, in a list that names the day; the exact one on hover. */
export function Clock({ at }: { at: Date }) {
  const zone = useZone();
  return (
    <time dateTime={at.toISOString()} title={exactTime(at, zone)} className="tabular-nums">
      {clockTime(at, zone)}
    </time>
  );
}

/** An exact time in words. */
export function ExactTime({ at }: { at: Date }) {
  return <time dateTime={at.toISOString()}>{exactTime(at, useZone())}</time>;
}
