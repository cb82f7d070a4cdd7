import { setTimeout as delay } from "node:timers/promises";
import type { Kind } from "./kind";

export const appKinds: Kind[] = [
  {
    name: "gateway killed",
    excuse: "down",
    async inject({ apps, random }) {
      const app = random.pick(apps);
      await app.kill();
      await delay(random.below(2_000));
      await app.start();
      return undefined;
    },
  },
  {
    name: "gateways restarted one by one",
    excuse: "down",
    async inject({ apps }) {
      for (const app of apps) {
        await app.stop();
        await app.start();
      }
      return undefined;
    },
  },
];
