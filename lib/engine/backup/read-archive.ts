import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import * as zlib from "node:zlib";
import { extract } from "tar-stream";
import { BackupRefused } from "./refused";
import { cutShort, openWith, sealMagic } from "./seal-file";

export interface BackupFile {
  file: string;
  passphrase: string | undefined;
}

export interface ArchiveEntry {
  name: string;
  bytes: number;
  body: AsyncIterable<Buffer>;
}

const gzip = Buffer.from([0x1f, 0x8b]);
const zstd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** Reads the entries of an archive one after the other. Each body has to be read to its end. */
export async function* readArchive(source: BackupFile): AsyncGenerator<ArchiveEntry> {
  const tar = extract();
  // A failure destroys the tar, so that the loops below end, and throw it.
  const failure = feed(source, tar).then(
    () => undefined,
    (error: unknown) => error,
  );
  try {
    for await (const entry of tar) {
      const body = bytesOf(entry, failure);
      yield { name: entry.header.name, bytes: entry.header.size ?? 0, body };
    }
    const error = await failure;
    if (error !== undefined) throw error;
  } catch (error) {
    throw explain((await failure) ?? error);
  } finally {
    tar.destroy();
  }
}

async function* bytesOf(
  entry: AsyncIterable<unknown>,
  failure: Promise<unknown>,
): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of entry) if (Buffer.isBuffer(chunk)) yield chunk;
  } catch (error) {
    throw explain((await failure) ?? error);
  }
}

async function feed(source: BackupFile, tar: ReturnType<typeof extract>): Promise<void> {
  try {
    const { file } = source;
    const head = await firstBytes(file);
    if (startsWith(head, sealMagic)) {
      const { passphrase } = source;
      if (passphrase === undefined) {
        throw new BackupRefused(
          "The backup is under a passphrase: give the one that it was made with, as BACKUP_PASSPHRASE.",
        );
      }
      await pipeline(createReadStream(file), openWith(passphrase), zlib.createGunzip(), tar);
    } else {
      await pipeline(createReadStream(file), decompressor(head), tar);
    }
  } catch (error) {
    tar.destroy(error instanceof Error ? error : undefined);
    throw error;
  }
}

function decompressor(head: Buffer) {
  if (startsWith(head, gzip)) return zlib.createGunzip();
  if (!startsWith(head, zstd)) {
    throw new BackupRefused(
      "This file is not a backup of the gateway: choose a .tar.gz that it made.",
    );
  }
  // Newer versions of Node.js have it.
  const create: unknown = Reflect.get(zlib, "createZstdDecompress");
  if (typeof create === "function") return create();
  throw new BackupRefused(
    "This version of Node.js cannot read Zstandard: unpack the file with zstd, pack it with gzip, and try again.",
  );
}

function startsWith(head: Buffer, magic: Buffer): boolean {
  return head.subarray(0, magic.length).equals(magic);
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(sealMagic.length) });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const faults: { sign: RegExp; refusal: () => BackupRefused }[] = [
  { sign: /Z_BUF_ERROR|Unexpected end of data/, refusal: cutShort },
  {
    sign: /Z_DATA_ERROR|Invalid tar header/,
    refusal: () => new BackupRefused("The backup is damaged: take another one."),
  },
  {
    sign: /ENOENT|EISDIR/,
    refusal: () => new BackupRefused("There is no such file: name a backup that is there."),
  },
  {
    sign: /EACCES|EPERM/,
    refusal: () =>
      new BackupRefused("The file cannot be read: run this as the user who runs the gateway."),
  },
];

function explain(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BackupRefused) return error;
  const code = "code" in error ? String(error.code) : "";
  const known = faults.find(({ sign }) => sign.test(`${code} ${error.message}`));
  return known?.refusal() ?? error;
}
