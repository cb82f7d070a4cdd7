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
