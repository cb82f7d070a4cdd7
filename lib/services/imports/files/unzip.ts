import { gunzipSync, inflateRawSync } from "node:zlib";
import { ImportRefused, importBytesMax } from "../formats/item";
import { entriesOf } from "./zip-entries";

const entriesMax = 5_000;
const pathMax = 1_000;
/** How many times larger than its packed bytes an entry may become. */
const ratioMax = 100;
// A short text of one letter is packed as tightly as a bomb.
const ratioFrom = 4 * 1024;
const chunkBytes = 1024;

export interface Unzipped {
  /** The wanted files, by path. */
  files: Map<string, Buffer>;
  paths: Set<string>;
}

/** Unpacks the wanted entries. The sizes that a file claims bound nothing: zlib counts what comes out. */
export function unzip(zip: Buffer, isWanted: (path: string) => boolean): Unzipped {
  const files = new Map<string, Buffer>();
  const paths = new Set<string>();
  let room = importBytesMax;
  let packedBytes = 0;
  refuseDamaged(() => {
    for (const { path, method, isEncrypted, packed, size } of entriesOf(zip)) {
      if (paths.size === entriesMax) {
        throw refused(`has more than ${entriesMax.toLocaleString("en")} files`, "zip fewer files");
      }
      demandPlainPath(path);
      if (paths.has(path)) throw refused("has two files of one name", "export it again");
      paths.add(path);
      if (!isWanted(path)) continue;
      if (isEncrypted) throw refused("is encrypted", instead);
      packedBytes += packed.length;
      if (packedBytes > zip.length) throw refused("has files that overlap", "export it again");
      if (method === "other") throw refused("is packed in a way that cannot be read", instead);
      const file = method === "stored" ? packed : inflated(inflateRawSync, { packed, size, room });
      if (file.length > room) throw tooLarge();
      room -= file.length;
      files.set(path, file);
    }
  });
  return { files, paths };
}

/** Unpacks a gzip file, within the same bounds. */
export function gunzip(gzip: Buffer): Buffer {
  return refuseDamaged(() =>
    inflated(gunzipSync, {
      packed: gzip,
      size: gzip.readUInt32LE(gzip.length - 4),
      room: importBytesMax,
    }),
  );
}

interface Packed {
  packed: Buffer;
  /** How many bytes come out, as the file claims. */
  size: number;
  /** How many may come out. */
  room: number;
}

function inflated(inflate: typeof inflateRawSync, { packed, size, room }: Packed): Buffer {
  const ratioBound = ratioMax * (packed.length + ratioFrom);
  const maxOutputLength = Math.min(room, ratioBound);
  try {
    // Where the claimed size is true, one buffer is filled, without copies.
    const chunkSize = Math.min(Math.max(size, chunkBytes), maxOutputLength) + 1;
    return inflate(packed, { maxOutputLength, chunkSize });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    if (maxOutputLength === room) throw tooLarge();
    throw refused(`unpacks to more than ${ratioMax} times its size`, instead);
  }
}

function refuseDamaged<Result>(unpack: () => Result): Result {
  try {
    return unpack();
  } catch (error) {
    if (error instanceof ImportRefused) throw error;
    throw refused("is damaged", instead);
  }
}

function demandPlainPath(path: string): void {
  const isPlain = path.length <= pathMax && !/\\|^\/|^[a-z]:|(?:^|\/)\.\.(?:\/|$)/i.test(path);
  if (!isPlain) throw refused("has a file with a path out of its folder", instead);
}

const instead = "unpack it and import the file in it";

function tooLarge(): ImportRefused {
  return refused("unpacks to more than 25 MB", "import its files in parts");
}

function refused(problem: string, remedy: string): ImportRefused {
  return new ImportRefused(`The zip file ${problem}`, remedy);
}
