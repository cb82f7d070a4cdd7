import path from "node:path";
import { partEnding } from "../write-archive";

/** Where backups are kept. */
export interface BackupTarget {
  /** Without secrets. */
  description: string;
  /** Where a file is written before it is stored. */
  folder: string;
  /** Whether files are kept on another machine, and are in `folder` on their way only. */
  isElsewhere: boolean;
  /** Takes the file at `localFile`, which is gone from there even if this fails. */
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

/** Returns the path of a file on this machine. If it is kept elsewhere, the next backup deletes a copy that was left. */
export function localFile(
  { folder, isElsewhere }: Pick<BackupTarget, "folder" | "isElsewhere">,
  name: string,
): string {
  return path.join(folder, isElsewhere ? name + partEnding : name);
}
