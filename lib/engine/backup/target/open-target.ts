import path from "node:path";
import type { Env } from "../../env";
import { createFolderTarget } from "./folder";
import { type BackupPlace, parsePlace } from "./place";
import { createS3Target } from "./s3";
import type { BackupTarget } from "./target";

/** `folder` is used where BACKUP_URL is not set, and to write files that go to another machine. */
export function openTarget(place: BackupPlace | null, folder: string): BackupTarget {
  if (place === null) return createFolderTarget(folder);
  return place.kind === "folder" ? createFolderTarget(place.folder) : createS3Target(place, folder);
}

/** Where BACKUP_URL says; in DATA_FOLDER without it. */
export function targetOf({ BACKUP_URL: url, DATA_FOLDER: folder }: Env): BackupTarget {
  const place = url === undefined ? null : parsePlace(url);
  return openTarget(place, path.resolve(folder, "backups"));
}
