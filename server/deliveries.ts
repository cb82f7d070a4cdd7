import type { Engine } from "@/lib/engine/engine";
import { listen } from "@/lib/engine/live/listen";

// Each sink has a loop of its own, so that none holds up another: woken by a committed delivery, and every few
// seconds, as a notice may be lost.

/** Works off what is due, and returns how many deliveries that were. */
export type Sink = (engine: Engine) => Promise<number>;

const pollMs = 5_000;
const failedMs = 1_000;

export function startDeliveries(engine: Engine, sinks: readonly Sink[]): { stop(): Promise<void> } {
  const { env, log } = engine;
  const loops = sinks.map((sink) => startLoop(engine, sink));
  const wake = () => {
    for (const loop of loops) loop.wake();
  };
  const listener = listen(
    { url: env.DATABASE_URL ?? "", log, channel: "deliveries" },
    { heard: wake, back: wake },
  );
  return {
    async stop() {
      const ends = loops.map((loop) => loop.stop());
      // A mail under way would delay the stop; it goes out again.
      engine.mailer?.close();
      await Promise.all([listener.stop(), ...ends]);
    },
  };
}

function startLoop(engine: Engine, sink: Sink) {
  let stopping = false;
  let isDue = true;
  let wake = () => {};
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const running = (async () => {
    while (!stopping) {
      isDue = false;
      try {
        const count = await sink(engine);
        if (count === 0 && !isDue && !stopping) await pause(pollMs);
      } catch (error) {
        engine.log.error("deliveries failed", { error });
        if (!stopping) await pause(failedMs);
      }
    }
  })();
  return {
    wake() {
      isDue = true;
      wake();
    },
    stop() {
      stopping = true;
      wake();
      return running;
    },
  };
}
