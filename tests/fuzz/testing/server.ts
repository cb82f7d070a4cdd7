import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Pool } from "pg";
import { migrate } from "@/lib/engine/migrate";
import { startEmbeddedPostgres } from "@/server/embedded-postgres/start";
import type { Target } from "../target";
import { startOwnGateway } from "./gateway";

/** A gateway with a PostgreSQL of its own; both are gone when it stops. */
export async function startOwnServer(): Promise<Target> {
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-fuzz-"));
  const postgres = await startEmbeddedPostgres({
    dataFolder: path.join(folder, "postgres"),
    // What it holds is not worth a wait for the disk.
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" },
  });
  const pool = new Pool({ connectionString: postgres.url });
  await migrate(pool, path.resolve("prisma"));
  await pool.end();
  const gateway = await startOwnGateway(postgres.url);
  return {
    ...gateway,
    async stop() {
      await gateway.stop();
      await postgres.stop();
      await rm(folder, { recursive: true });
    },
  };
}
