import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { sealWith } from "./seal-file";

export interface StoredFile {
  file: string;
  bytes: number;
  sha256: string;
}

export interface Archive {
  add(name: string, body: Buffer): Promise<void>;
  /** Puts the file in its place, whole and on the disk. */
  finish(): Promise<StoredFile>;
  /** Leaves nothing behind. */
  abandon(cause: unknown): Promise<void>;
}

export const partEnding = ".part";

/** Writes a `.tar.gz` under another name first, so that a file of its name is a whole one. */
export function createArchive(file: string, passphrase: string | undefined): Archive {
  const part = file + partEnding;
  const tar = pack();
  const hash = createHash("sha256");
  let bytes = 0;
  async function* measure(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  const written = pipeline(
    Readable.from(tar),
    createGzip({ level: 3 }),
    passphrase === undefined ? measure : (source) => measure(sealWith(passphrase)(source)),
    createWriteStream(part, { flags: "w", mode: 0o600, flush: true }),
  );
  // A failure is reported by whichever call comes next.
  written.catch(() => undefined);
  return {
    async add(name, body) {
      const added = new Promise<void>((resolve, reject) => {
        tar.entry({ name }, body, (error) => (error ? reject(error) : resolve()));
      });
      try {
        await Promise.race([added, written]);
      } catch (error) {
        // What ended the file is the cause of what the tar says.
        tar.destroy();
        await written;
        throw error;
      }
    },
    async finish() {
      tar.finalize();
      await written;
      await rename(part, file);
      await sync(path.dirname(file));
      return { file, bytes, sha256: hash.digest("hex") };
    },
    async abandon(cause) {
      tar.destroy(cause instanceof Error ? cause : undefined);
      await written.catch(() => undefined);
      await rm(part, { force: true });
    },
  };
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
