import { createFolderTarget } from "./folder";
import type { BackupPlace } from "./place";
import { createS3Target } from "./s3";

/** Where backups are kept. */
export interface BackupTarget {
  /** Without secrets. */
  description: string;
  /** Where a file is written before it is stored. */
  folder: string;
  /** Takes a file of `folder`. */
  store(name: string, sha256: string): Promise<void>;
  write(name: string, text: string): Promise<void>;
  list(): Promise<StoredObject[]>;
  read(name: string): Promise<AsyncIterable<Buffer>>;
  remove(name: string): Promise<void>;
}

export interface StoredObject {
  name: string;
  bytes: number;
}

/** `folder` is used where BACKUP_URL is not set, and to write files that go to another machine. */
export function openTarget(place: BackupPlace | null, folder: string): BackupTarget {
  if (place === null) return createFolderTarget(folder);
  return place.kind === "folder" ? createFolderTarget(place.folder) : createS3Target(place, folder);
}
