import { setTimeout as delay } from "node:timers/promises";
import type { Engine } from "@/lib/engine/engine";
import { listen } from "@/lib/engine/live/listen";
import type { DeliverySink } from "@/lib/services/gateway-jobs";
import { deliveriesChannel } from "@/lib/services/webhooks/enqueue";

// Each sink has a loop of its own, so that none holds up another: woken by a committed delivery, and every few
// seconds, as a notice may be lost.

const pollMs = 5_000;
const failedMs = 1_000;
// The least time between two calls that overlap, however many commits there are.
const overlapMs = 20;

export function startDeliveries(
  engine: Engine,
  sinks: readonly DeliverySink[],
): { stop(): Promise<void> } {
  const { env, log } = engine;
  const loops = sinks.map((sink) => startLoop(engine, sink));
  const wake = () => {
    for (const loop of loops) loop.wake();
  };
  const listener = listen(
    { url: env.DATABASE_URL ?? "", log, channel: deliveriesChannel },
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

function startLoop(engine: Engine, { run, overlaps }: DeliverySink) {
  const stopping = new AbortController();
  const calls = new Set<Promise<number>>();
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
  const call = async () => {
    try {
      return await run(engine, stopping.signal);
    } catch (error) {
      engine.log.error("deliveries failed", { error });
      return delay(failedMs, 1);
    }
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      isDue = false;
      const called = call().finally(() => calls.delete(called));
      calls.add(called);
      const count = await (overlaps ? Promise.race([called, delay(overlapMs, 0)]) : called);
      if (count === 0 && !isDue && !stopping.signal.aborted) await pause(pollMs);
    }
    await Promise.all(calls);
  })();
  return {
    wake() {
      isDue = true;
      wake();
    },
    stop() {
      stopping.abort();
      wake();
      return running;
    },
  };
}
