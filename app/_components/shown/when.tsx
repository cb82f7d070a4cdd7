import { exactTime, relativeTime } from "../words/time";

interface WhenProps {
  at: Date;
  now: Date;
}

/** A time as people say it, with the exact one on hover. The caller's clock, so that it says one thing. */
export function When({ at, now }: WhenProps) {
  return (
    <time dateTime={at.toISOString()} title={exactTime(at)} className="whitespace-nowrap">
      {relativeTime(at, now)}
    </time>
  );
}
