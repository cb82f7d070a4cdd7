import { Client } from "pg";
import { inject } from "vitest";
import { newId } from "@/lib/engine/random";

/** A database of this test file's own, cloned from the migrated template. It goes with the run's server. */
export function cloneDatabase(): Promise<string> {
  const template = new URL(inject("serverUrl")).pathname.slice(1);
  return createDatabase(`TEMPLATE "${template}"`);
}

export function emptyDatabase(): Promise<string> {
  return createDatabase("");
}

async function createDatabase(from: string): Promise<string> {
  const name = newId("test").toLowerCase();
  const server = new URL(inject("serverUrl"));
  await inMaintenance(server, `CREATE DATABASE "${name}" ${from}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function inMaintenance(server: URL, statement: string): Promise<void> {
  const url = new URL(server);
  url.pathname = "/postgres";
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
