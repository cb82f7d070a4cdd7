import type { Engine } from "@/lib/engine/engine";
import { leaveSlot } from "@/lib/engine/load/work-slots";

// RFC 7240, 4.3: how long a caller would rather wait than come again.

const secondsMax = 45;

/** Null where it is not said. */
export function waitSecondsIn(prefer: string | null): number | null {
  const [, seconds] =
    /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(prefer ?? "") ?? [];
  return seconds === undefined ? null : Math.min(Number(seconds), secondsMax);
}

// Each keeps a connection open, and looks again at each change of its profile.
const waitingMax = 200;
const waitingForOneMax = 4;
const waiting = new WeakMap<Engine, string[]>();

interface Awaited {
  profileId: number;
  requestId: string;
  seconds: number;
}

/** Resolves once the owner has decided the request, or after so many seconds; at once where too many wait. */
export async function untilDecided(
  engine: Engine,
  { profileId, requestId, seconds }: Awaited,
): Promise<void> {
  const held = waiting.get(engine) ?? [];
  waiting.set(engine, held);
  const isMuch = held.filter((id) => id === requestId).length >= waitingForOneMax;
  if (seconds === 0 || isMuch || held.length >= waitingMax) return;
  leaveSlot();
  held.push(requestId);
  let unfollow = () => {};
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        engine.db.consentRequest
          .count({ where: { id: requestId, status: "pending" } })
          .then((count) => count === 0 && resolve(), reject);
      };
      unfollow = engine.live.follow(profileId, { changed: look, ended: resolve });
      timer = setTimeout(resolve, seconds * 1_000);
      look();
    });
  } finally {
    held.splice(held.indexOf(requestId), 1);
    clearTimeout(timer);
    unfollow();
  }
}
