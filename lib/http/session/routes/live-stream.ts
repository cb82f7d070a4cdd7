import type { Live } from "@/lib/engine/live/live";

// Shorter than the patience of proxies.
export const beatMs = 20_000;
/** Between two changes, as each is sent only after its reader's session was looked up. */
export const changeMsMin = 1_000;
// A connection that is gone without a word, and one that nobody reads, is let go. Browsers come back by themselves.
export const streamMsMax = 10 * 60_000;
const retryMs = 2_000;
const unreadMax = 64;

const change = "event: change\ndata: 1\n\n";

export interface LiveStream {
  follow: Live["follow"];
  profileId: number;
  signal: AbortSignal;
  /** Whether something happened between the page and now. */
  isBehind: () => Promise<boolean>;
  /** Whether its reader may still be told. */
  isLive: () => Promise<boolean>;
  /** Called once, however it ends. */
  closed: () => void;
}

export function openLiveStream(stream: LiveStream): ReadableStream<Uint8Array> {
  const { follow, profileId, signal, isBehind, isLive, closed } = stream;
  // Also where the stream itself was closed by its reader.
  let leave = () => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let isOpen = true;
      let isStopping = false;
      const close = () => {
        if (!isOpen) return;
        leave();
        controller.close();
      };
      const say = (text: string) => {
        // A reader that has stopped reading is disconnected; it reconnects by itself.
        if ((controller.desiredSize ?? 0) < -unreadMax) close();
        else if (isOpen) controller.enqueue(new TextEncoder().encode(text));
      };
      // If unsure, close: the browser reconnects and is authenticated again.
      const closeUnlessLive = () =>
        isLive()
          .then((isStill) => isStill || close())
          .catch(() => close());
      let pause: ReturnType<typeof setTimeout> | undefined;
      let isMore = false;
      const sendChange = () => {
        if (pause !== undefined) {
          isMore = true;
          return;
        }
        pause = setTimeout(() => {
          pause = undefined;
          if (isMore) sendChange();
        }, changeMsMin);
        isMore = false;
        closeUnlessLive().then(() => say(change));
      };
      const unfollow = follow(profileId, {
        changed: sendChange,
        ended: () => {
          isStopping = true;
          close();
        },
      });
      // Checked after we listen, so that nothing is missed in between.
      isBehind()
        .then((isNews) => isOpen && isNews && sendChange())
        .catch(() => close());
      closeUnlessLive();
      const beat = setInterval(() => {
        closeUnlessLive().then(() => say(": still here\n\n"));
      }, beatMs);
      const end = setTimeout(() => close(), streamMsMax);
      leave = () => {
        isOpen = false;
        clearInterval(beat);
        clearTimeout(pause);
        clearTimeout(end);
        signal.removeEventListener("abort", close);
        unfollow();
        closed();
      };
      signal.addEventListener("abort", close);
      // Closed before there was anything to close.
      if (signal.aborted || isStopping) close();
      else say(`retry: ${retryMs}\n\n`);
    },
    cancel: () => leave(),
  });
}
