import { once } from "node:events";
import { finished } from "node:stream/promises";
import type { ClientBase } from "pg";
import { type CopyStreamQuery, from as copyFrom } from "pg-copy-streams";
import {
  type Aside,
  copyInto,
  emptyTables,
  foreignKeys,
  listTables,
  plainIndexes,
  userTriggers,
  writeSequences,
} from "./catalog";
import { damaged, readBackup, type TableSink } from "./check-backup";
import type { Manifest } from "./manifest";
import type { BackupFile } from "./read-archive";

/**
 * Writes a backup into a database that has the schema of the backup. Runs in the caller's transaction, and needs to own
 * the tables only. The manifest comes from `checkBackup`.
 */
export async function loadBackup(
  client: ClientBase,
  source: BackupFile,
  manifest: Manifest,
): Promise<void> {
  await client.query("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '60s'");
  // The size of a sort, for indexes.
  await client.query("SET LOCAL maintenance_work_mem = '256MB'; SET LOCAL DateStyle = 'ISO'");
  await refuseOtherTables(client, manifest);
  const triggers = await userTriggers(client);
  const keys = await foreignKeys(client);
  const indexes = await plainIndexes(client);
  // Changes of rows that a trigger waits to look at would stop these.
  await run(client, [...keys.away, ...triggers.away]);
  // Migrations may have filled some.
  await run(client, await emptyTables(client));
  await run(client, indexes.away);
  await readBackup(source, copySink(client, manifest));
  await writeSequences(client, manifest.sequences);
  for (const { back } of [indexes, triggers, keys] satisfies Aside[]) await run(client, back);
}

async function run(client: ClientBase, statements: string[]): Promise<void> {
  for (const statement of statements) await client.query(statement);
}

async function refuseOtherTables(client: ClientBase, { tables }: Manifest): Promise<void> {
  const here = await listTables(client);
  for (const { name, columns } of tables) {
    const table = here.find((one) => one.name === name);
    if (table?.columns.join("\n") !== columns.join("\n")) throw damaged(name);
  }
  const missing = here.find(({ name }) => tables.every((one) => one.name !== name));
  if (missing !== undefined) throw damaged(missing.name);
}

/** One COPY for each table, over all of its parts. */
function copySink(client: ClientBase, { tables }: Manifest): TableSink {
  let stream: CopyStreamQuery | undefined;
  let ended: Promise<void> = Promise.resolve();
  let rows = 0;
  let table = "";
  return {
    async begin(name) {
      const entry = tables.find((one) => one.name === name);
      if (entry === undefined) throw damaged(name);
      table = name;
      rows = entry.rows;
      stream = client.query(copyFrom(await copyInto(client, name, entry.columns)));
      ended = finished(stream);
      // A failure is thrown by the next call.
      ended.catch(() => undefined);
    },
    async write(chunk) {
      if (stream?.write(chunk) === false) await Promise.race([once(stream, "drain"), ended]);
    },
    async end() {
      stream?.end();
      await ended;
      if (stream?.rowCount !== rows) throw damaged(table);
    },
  };
}
