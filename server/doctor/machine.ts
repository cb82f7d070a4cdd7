import { existsSync } from "node:fs";
import { stat, statfs } from "node:fs/promises";
import path from "node:path";
import type { Env } from "@/lib/engine/env";
import { engines } from "@/package.json";
import { type Check, note, ok, problem } from "./check";

// This machine: its Node.js, who may read the files, and the room on the disk.

/** When the makers of each version end their fixes of security. */
const lastDays: Record<number, string> = {
  20: "2026-04-30",
  22: "2027-04-30",
  24: "2028-04-30",
};

export function checkNode(version: string, now: Date): Check {
  return {
    name: "Node.js",
    async run() {
      const [major = 0, minor = 0] = version.split(".").map(Number);
      const [leastMajor = 0, leastMinor = 0] = engines.node.slice(2).split(".").map(Number);
      if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
        return problem(`${version} is too old: install ${engines.node.slice(2)} or newer.`);
      }
      const last = lastDays[major];
      if (last === undefined || now.getTime() <= Date.parse(last) + 86_400_000) return ok(version);
      return note(`${version} got its last fixes on ${last}: install 24.`);
    },
  };
}

export function checkFiles({ DATA_FOLDER }: Env): Check {
  return {
    name: "Files",
    async run() {
      const wrong: string[] = [];
      const places = [".env", DATA_FOLDER, path.join(DATA_FOLDER, "postgres")];
      for (const place of places.filter((one) => existsSync(one))) {
        const found = await stat(place);
        const mode = found.isDirectory() ? "700" : "600";
        if ((found.mode & 0o077) !== 0) wrong.push(`chmod ${mode} ${place}`);
      }
      if (wrong.length === 0) return ok("Only the gateway's user reads its data and secrets.");
      return problem(`Other users of this machine may read secrets: ${wrong.join("; ")}`);
    },
  };
}

/** A restore writes the database a second time beside the first. */
export function checkDisk({ DATA_FOLDER, DATABASE_URL }: Env, databaseBytes: number): Check {
  return {
    name: "Disk",
    async run() {
      const { bavail, bsize } = await statfs(existsSync(DATA_FOLDER) ? DATA_FOLDER : ".");
      const [free, needed] = [bavail * bsize, databaseBytes * 2];
      const text = `${megabytes(free)} are free for a database of ${megabytes(databaseBytes)}`;
      if (DATABASE_URL !== undefined) return note(`The database is elsewhere; ${text} here.`);
      return free >= needed
        ? ok(`${text}.`)
        : problem(`${text}: a restore may need twice as much.`);
    },
  };
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6).toLocaleString("en")} MB`;
}
