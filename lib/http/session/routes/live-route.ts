import { requestCtx } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { unavailable } from "@/lib/protocol/errors";
import { callerOf, isSessionLive } from "@/lib/services/accounts/sessions";
import { hasNews } from "@/lib/services/overview";
import { answer } from "../../reply";
import { ownProfileOf } from "../own-profile";

const streamsMax = 1_000;
const streamsOfOneMax = 20;
// Shorter than the patience of proxies; also how long a session that has ended is still told of changes.
const beatMs = 20_000;
const retryMs = 2_000;

const change = "event: change\ndata: 1\n\n";

const open = new Map<string, number>();

/**
 * Server-sent events for one profile of whoever is signed in. They say that something changed and
 * never what: the page asks again, through the same checks as ever.
 */
export function liveRoute(request: Request): Promise<Response> {
  return answer(request, async () => {
    const { who, profile, query } = await ownProfileOf(request);
    if (isFull(who.userId)) throw unavailable(new Error("too many open pages"), 30);
    const { userId, sessionId } = who;
    const since = new Date(query.get("since") ?? Number.NaN);
    const ctx = requestCtx(callerOf(who));
    const isBehind = async () =>
      !Number.isNaN(since.getTime()) && (await hasNews(ctx, { profileId: profile.id, since }));
    const { signal } = request;
    return stream({ userId, sessionId, profileId: profile.id, signal, isBehind });
  });
}

function isFull(userId: string): boolean {
  const all = [...open.values()].reduce((sum, count) => sum + count, 0);
  return all >= streamsMax || (open.get(userId) ?? 0) >= streamsOfOneMax;
}

interface Watching {
  userId: string;
  sessionId: string;
  profileId: number;
  signal: AbortSignal;
  /** Whether something happened between the page and now. */
  isBehind: () => Promise<boolean>;
}

function stream({ userId, sessionId, profileId, signal, isBehind }: Watching): Response {
  let close = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      open.set(userId, (open.get(userId) ?? 0) + 1);
      const say = (text: string) => {
        // A reader who has stopped reading is let go, and comes back by itself.
        if ((controller.desiredSize ?? 0) < -64) close();
        else if (isOpen) controller.enqueue(new TextEncoder().encode(text));
      };
      let isOpen = true;
      let isStopping = false;
      const leave = engine().live.follow(profileId, {
        changed: () => say(change),
        ended: () => {
          isStopping = true;
          close();
        },
      });
      // Asked once we listen, so that nothing falls between the two.
      isBehind()
        .then((isNews) => isOpen && isNews && say(change))
        .catch(() => close());
      const beat = setInterval(() => {
        // Unsure is no: the browser comes back, and is asked who it is.
        isSessionLive(requestCtx(), { sessionId, profileId })
          .then((isLive) => (isLive ? say(": still here\n\n") : close()))
          .catch(() => close());
      }, beatMs);
      close = () => {
        if (!isOpen) return;
        isOpen = false;
        clearInterval(beat);
        leave();
        const left = (open.get(userId) ?? 1) - 1;
        if (left === 0) open.delete(userId);
        else open.set(userId, left);
        controller.close();
      };
      signal.addEventListener("abort", () => close());
      // Gone, or sent away, before there was anything to close: nobody would say so again.
      if (signal.aborted || isStopping) close();
      else say(`retry: ${retryMs}\n\n`);
    },
    cancel: () => close(),
  });
  return new Response(body, {
    headers: {
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "private, no-store, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}
