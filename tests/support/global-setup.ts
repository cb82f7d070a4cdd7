import { mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Pool } from "pg";
import type { TestProject } from "vitest/node";
import { migrate } from "@/lib/engine/migrate";
import { readPasswords, SUPERUSER } from "@/server/embedded-postgres/initialise";
import { startEmbeddedPostgres } from "@/server/embedded-postgres/start";

declare module "vitest" {
  export interface ProvidedContext {
    serverUrl: string;
    superuserUrl: string;
  }
}

// What a crash leaves behind is tested on servers of their own; this one ends with its folder.
const nothingToOutliveIt = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };
// Files run beside each other, some of them with several processes: each has pools of 20 here.
const roomForAll = { max_connections: "300" };

// One real PostgreSQL for the whole run, with one migrated template that test files clone.
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(await roomyFolder(), "gateway-test-"));
  const dataFolder = path.join(folder, "postgres");
  const postgres = await startEmbeddedPostgres({
    dataFolder,
    settings: { ...nothingToOutliveIt, ...roomForAll },
  });
  const pool = new Pool({ connectionString: postgres.url });
  await migrate(pool, path.resolve("prisma"));
  await pool.end();
  project.provide("serverUrl", postgres.url);
  const superuserUrl = new URL(postgres.url);
  superuserUrl.username = SUPERUSER;
  superuserUrl.password = (await readPasswords(dataFolder)).superuser;
  superuserUrl.pathname = "/postgres";
  project.provide("superuserUrl", superuserUrl.href);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true });
  };
}

const memory = "/dev/shm";
const bytesWanted = 6 * 1024 ** 3;

// A disk that catches up with what was written before stops every statement for seconds; memory does not.
async function roomyFolder(): Promise<string> {
  const stats = await statfs(memory).catch(() => null);
  return stats !== null && stats.bavail * stats.bsize > bytesWanted ? memory : tmpdir();
}
