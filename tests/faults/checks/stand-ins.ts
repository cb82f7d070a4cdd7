import type { Evidence } from "./evidence";

export interface Span {
  from: number;
  until: number;
}

// An answer of the limiter's was given up on before that is logged.
const givenUpMs = 1_000;

/** From when to when PostgreSQL stood in for Redis, as each gateway's log tells; open where it ends so. */
export function standInsOf({ logs }: Pick<Evidence, "logs">): Span[] {
  return logs.flatMap(({ text }) => {
    const spans: Span[] = [];
    for (const [, time = "", message = ""] of text.matchAll(line)) {
      const last = spans.at(-1);
      const at = Date.parse(time);
      const isOpen = last?.until === Number.POSITIVE_INFINITY;
      if (message.endsWith("does not answer")) {
        if (!isOpen) spans.push({ from: at - givenUpMs, until: Number.POSITIVE_INFINITY });
      } else if (isOpen) last.until = at;
    }
    return spans;
  });
}

/** What a gateway is started with in its log: nothing of the process before it goes on. */
export const startsAnew = "a gateway starts";

const line = new RegExp(
  `"time":"([^"]+)".*"msg":"(the limiter does not answer|the limiter answers again|${startsAnew})`,
  "g",
);
