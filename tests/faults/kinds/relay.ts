import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../../fuzz/random";

/** Between the gateways and their database, where connections can be slowed down and cut off. */
export interface Relay {
  port: number;
  /** Every piece that goes through waits this long, in either direction. */
  slowDown(ms: number): void;
  /** A share of the connections, and of those that come until the share is 0. */
  reset(share: number): void;
  stop(): void;
}

export async function startRelay(upstream: () => number, random: Random): Promise<Relay> {
  const pairs = new Set<[Socket, Socket]>();
  let waitMs = 0;
  let resetShare = 0;
  const server = createServer((near) => {
    if (random.chance(resetShare)) return void near.resetAndDestroy();
    const far = connect(upstream(), "127.0.0.1");
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.setNoDelay(true);
      pass(from, to, () => waitMs);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    slowDown: (ms) => {
      waitMs = ms;
    },
    reset(share) {
      resetShare = share;
      for (const [near, far] of pairs) {
        if (!random.chance(share)) continue;
        near.resetAndDestroy();
        far.destroy();
      }
    },
    stop() {
      server.close();
      for (const [near, far] of pairs) {
        near.destroy();
        far.destroy();
      }
    },
  };
}

// One piece after the other, so that none overtakes another.
function pass(from: Socket, to: Socket, waitMs: () => number): void {
  let last = Promise.resolve();
  from.on("data", (chunk: Buffer) => {
    last = last.then(async () => {
      if (waitMs() > 0) await delay(waitMs());
      to.write(chunk);
    });
  });
  from.on("end", () => void last.then(() => to.end()));
}
