import { createReadStream, existsSync } from "node:fs";
import { readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { partEnding } from "../write-archive";
import type { BackupTarget } from "./target";

export function createFolderTarget(folder: string): BackupTarget {
  const at = (name: string) => path.join(folder, path.basename(name));
  return {
    description: folder,
    folder,
    isElsewhere: false,
    // It is there already.
    store: async () => undefined,
    async write(name, text) {
      const part = at(name) + partEnding;
      await writeFile(part, text, { mode: 0o600, flush: true });
      await rename(part, at(name));
    },
    async list() {
      if (!existsSync(folder)) return [];
      const entries = await readdir(folder, { withFileTypes: true });
      const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      return Promise.all(names.map(async (name) => ({ name, bytes: (await stat(at(name))).size })));
    },
    read: async (name) => createReadStream(at(name)),
    remove: (name) => rm(at(name), { force: true }),
  };
}
