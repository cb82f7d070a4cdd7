import { setTimeout as delay } from "node:timers/promises";
import type { Kind } from "./kind";

export const diskKinds: Kind[] = [
  {
    name: "disk full",
    excuse: "unavailable",
    async inject({ cluster, disk, random }) {
      if (disk === null) return undefined;
      const pieces = 15 + random.below(15);
      for (let piece = 0; piece < pieces; piece++) {
        await disk.fill();
        await delay(200);
      }
      const note = cluster.isUp() ? undefined : "PostgreSQL ended by itself";
      await disk.free();
      return note;
    },
  },
];
