import { Client } from "pg";
import { inject } from "vitest";
import { newId } from "@/lib/engine/random";

/** A database of this test file's own, cloned from the migrated template. It goes with the run's server. */
export function cloneDatabase(): Promise<string> {
  const template = new URL(inject("serverUrl")).pathname.slice(1);
  return createDatabase(`TEMPLATE "${template}"`);
}

/** A copy of a database as it is now. Ends all its connections: a pool opens others. */
export async function copyDatabase(url: string): Promise<string> {
  const name = new URL(url).pathname.slice(1);
  const client = new Client({ connectionString: inject("superuserUrl") });
  await client.connect();
  try {
    await client.query(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = $1",
      [name],
    );
  } finally {
    await client.end();
  }
  return createDatabase(`TEMPLATE "${name}"`);
}

export function emptyDatabase(): Promise<string> {
  return createDatabase("");
}

async function createDatabase(from: string): Promise<string> {
  const name = newId("test").toLowerCase();
  const url = new URL(inject("serverUrl"));
  // The gateway's role may not create databases.
  const client = new Client({ connectionString: inject("superuserUrl") });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE "${name}" ${from} OWNER "${url.username}"`);
  } finally {
    await client.end();
  }
  url.pathname = `/${name}`;
  return url.href;
}
