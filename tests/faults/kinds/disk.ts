import { setTimeout as delay } from "node:timers/promises";
import { clock } from "../ledger";
import type { Kind } from "./kind";

export const diskKinds: Kind[] = [
  {
    name: "disk full",
    excuse: "unavailable",
    async inject({ cluster, disk, random }) {
      if (disk === null) return undefined;
      const until = clock() + 4_000 + random.below(3_000);
      while (clock() < until) {
        await disk.fill();
        await delay(200);
      }
      const note = cluster.isUp() ? undefined : "PostgreSQL ended by itself";
      await disk.free();
      return note;
    },
  },
];
