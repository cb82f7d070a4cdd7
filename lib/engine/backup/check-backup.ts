import { createHash, type Hash } from "node:crypto";
import { backupFormat, Manifest, manifestBytesMax, manifestName } from "./manifest";
import { type ArchiveEntry, type BackupFile, readArchive } from "./read-archive";
import { BackupRefused } from "./refused";
import { cutShort } from "./seal-file";

/** Takes the COPY text of the tables, one table after the other. */
export interface TableSink {
  begin(table: string): Promise<void>;
  write(chunk: Buffer): Promise<void>;
  /** Of the last table, too. */
  end(): Promise<void>;
}

/** Reads a whole backup and changes nothing: throws where any of it is missing or was changed. */
export function checkBackup(source: BackupFile): Promise<Manifest> {
  return readBackup(source, {
    begin: async () => undefined,
    write: async () => undefined,
    end: async () => undefined,
  });
}

interface Tally {
  parts: number;
  bytes: number;
  hash: Hash;
}

/** Hands the tables on, and throws at the end if they are not what the manifest says. */
export async function readBackup(source: BackupFile, sink: TableSink): Promise<Manifest> {
  const tallies = new Map<string, Tally>();
  let manifest: Manifest | undefined;
  let current: string | undefined;
  for await (const entry of readArchive(source)) {
    // The manifest is the last entry.
    if (manifest !== undefined) throw damaged(entry.name);
    if (entry.name === manifestName) {
      manifest = parseManifest(await whole(entry));
      continue;
    }
    const table = tableOf(entry.name);
    if (table !== current) {
      if (tallies.has(table)) throw damaged(table);
      if (current !== undefined) await sink.end();
      await sink.begin(table);
      current = table;
    }
    const tally = tallies.get(table) ?? { parts: 0, bytes: 0, hash: createHash("sha256") };
    tallies.set(table, tally);
    tally.parts += 1;
    for await (const chunk of entry.body) {
      tally.bytes += chunk.length;
      tally.hash.update(chunk);
      await sink.write(chunk);
    }
  }
  if (manifest === undefined) throw cutShort();
  compare(manifest, tallies);
  if (current !== undefined) await sink.end();
  return manifest;
}

export function damaged(what: string): BackupRefused {
  return new BackupRefused(`The backup is damaged (${what}): take another one.`);
}

function tableOf(entry: string): string {
  const [, table] = /^tables\/([^/]+)\/\d{6}$/.exec(entry) ?? [];
  if (table !== undefined) return decodeURIComponent(table);
  throw new BackupRefused(
    "This file is not a backup of the gateway: choose a .tar.gz that it made.",
  );
}

async function whole({ name, bytes, body }: ArchiveEntry): Promise<string> {
  if (bytes > manifestBytesMax) throw damaged(name);
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function parseManifest(text: string): Manifest {
  const json = readJson(text);
  const { data } = Manifest.safeParse(json);
  if (data !== undefined) return data;
  const format = Reflect.get(Object(json), "format");
  if (typeof format !== "number" || format <= backupFormat) throw damaged(manifestName);
  throw newer(String(Reflect.get(Object(json), "version")));
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new BackupRefused(damaged(manifestName).message, { cause });
  }
}

function newer(version: string): BackupRefused {
  return new BackupRefused(
    `The backup was made by a newer gateway (${version}): install that version, or take an older backup.`,
  );
}

/** Throws unless `known`, the migrations of this version, begin with those of the backup. */
export function refuseOtherVersion(
  { version, migrations }: Manifest,
  known: Manifest["migrations"],
): void {
  migrations.forEach(({ name, checksum }, index) => {
    if (known[index] === undefined) throw newer(version);
    if (known[index].name === name && known[index].checksum === checksum) return;
    throw new BackupRefused(
      `The backup was made by another gateway (${version}, migration ${name}): restore it with that one.`,
    );
  });
}

function compare({ tables }: Manifest, tallies: Map<string, Tally>): void {
  for (const { name, parts, bytes, sha256 } of tables) {
    const tally = tallies.get(name) ?? { parts: 0, bytes: 0, hash: createHash("sha256") };
    const isWhole = tally.parts === parts && tally.bytes === bytes;
    if (!isWhole || tally.hash.digest("hex") !== sha256) throw damaged(name);
    tallies.delete(name);
  }
  const [unknown] = tallies.keys();
  if (unknown !== undefined) throw damaged(unknown);
}
