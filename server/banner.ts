import path from "node:path";
import { verifier } from "@/lib/auth/keys/verification";
import type { Engine } from "@/lib/engine/engine";
import type { Demo } from "@/prisma/seed";
import type { Database } from "./database";

export interface BannerFacts {
  engine: Engine;
  address: string;
  database: Database;
  adminLink: string | null;
  demo: Demo | null;
}

export function banner({ engine, address, database, adminLink, demo }: BannerFacts): string {
  const lines = [
    ["Address", address],
    ["Database", database.description],
    ["Limits", engine.counters.name],
    ["Signatures", verifier.name],
  ];
  if (adminLink !== null) {
    lines.push(["First admin", adminLink], ["", "open it once, within the hour"]);
  }
  for (const { name, email, password, role } of demo?.users ?? []) {
    lines.push([`Sign in`, `${email}  ${password}  (${name}, ${role})`]);
  }
  if (demo !== null) {
    lines.push(["Demo keys", `${path.join(engine.env.DATA_FOLDER, "demo")} (see demo.json)`]);
  }
  return [
    "",
    "Profile Access Gateway",
    ...lines.map(([name = "", value]) => `  ${name.padEnd(13)}${value}`),
    "",
  ].join("\n");
}
