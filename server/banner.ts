import type { Engine } from "@/lib/engine/engine";
import type { Database } from "./database";

export interface BannerFacts {
  engine: Engine;
  address: string;
  database: Database;
  adminLink: string | null;
}

export function banner({ engine, address, database, adminLink }: BannerFacts): string {
  const lines = [
    ["Address", address],
    ["Database", database.description],
    ["Limits", engine.counters.name],
  ];
  if (adminLink !== null) {
    lines.push(["First admin", adminLink], ["", "open it once, within the hour"]);
  }
  return [
    "",
    "Profile Access Gateway",
    ...lines.map(([name = "", value]) => `  ${name.padEnd(13)}${value}`),
    "",
  ].join("\n");
}
