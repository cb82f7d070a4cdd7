import { z } from "zod";
import type { BackupTarget, StoredObject } from "./target";

export const keptBackups = 14;

// Beside each backup, as its own manifest is at its end: what it holds, for those who only look.
const Summary = z.object({
  bytes: z.int(),
  madeAt: z.iso.datetime(),
  version: z.string(),
  rows: z.int(),
});
export type Summary = z.output<typeof Summary>;

export interface KnownBackup {
  name: string;
  bytes: number;
  /** Null where it cannot be read, or the file has another size. */
  summary: Summary | null;
}

const namePattern = /^gateway-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz$/;
const summaryBytesMax = 10_000;

export function backupName(madeAt: Date): string {
  return `gateway-${madeAt.toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar.gz`;
}

export function isBackupName(name: string): boolean {
  return namePattern.test(name);
}

export async function writeSummary(
  target: BackupTarget,
  name: string,
  summary: Summary,
): Promise<void> {
  await target.write(summaryName(name), `${JSON.stringify(summary)}\n`);
}

/** Returns the backups, the newest first. */
export async function listBackups(target: BackupTarget): Promise<KnownBackup[]> {
  const objects = await target.list();
  const sizes = new Map(objects.map(({ name, bytes }) => [name, bytes]));
  const backups = objects
    .filter(({ name }) => isBackupName(name))
    .sort((one, other) => (one.name < other.name ? 1 : -1));
  const known: KnownBackup[] = [];
  for (const backup of backups) {
    const summaryBytes = sizes.get(summaryName(backup.name)) ?? 0;
    const isReadable = summaryBytes > 0 && summaryBytes <= summaryBytesMax;
    known.push({ ...backup, summary: isReadable ? await readSummary(target, backup) : null });
  }
  return known;
}

/** Deletes all but the newest 14 that are whole, and says how many. Others are left to a person. */
export async function pruneBackups(target: BackupTarget): Promise<number> {
  const whole = (await listBackups(target)).filter(({ summary }) => summary !== null);
  const old = whole.slice(keptBackups);
  for (const { name } of old) {
    await target.remove(name);
    await target.remove(summaryName(name));
  }
  return old.length;
}

async function readSummary(target: BackupTarget, { name, bytes }: StoredObject) {
  const chunks: Buffer[] = [];
  for await (const chunk of await target.read(summaryName(name))) chunks.push(chunk);
  const { data } = Summary.safeParse(readJson(Buffer.concat(chunks).toString()));
  return data?.bytes === bytes ? data : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A torn summary says nothing.
    return null;
  }
}

function summaryName(name: string): string {
  return name.replace(/\.tar\.gz$/, ".json");
}
