export interface ZipEntry {
  path: string;
  method: "stored" | "deflated" | "other";
  isEncrypted: boolean;
  packed: Buffer;
  /** How large it is unpacked, as the directory claims. */
  size: number;
}

const headers = { entry: 0x02014b50, local: 0x04034b50, end: 0x06054b50 };
const lengths = { entry: 46, local: 30, end: 22 };
const commentMax = 0xffff;

/**
 * The entries of the directory at the end of a zip file; throws where it is damaged. Packers that stream write no
 * sizes before the entries, so that reading from the beginning would have to guess where one ends.
 */
export function* entriesOf(zip: Buffer): Generator<ZipEntry> {
  const end = endOf(zip);
  let at = zip.readUInt32LE(end + 16);
  while (at < end && zip.readUInt32LE(at) === headers.entry) {
    const flags = zip.readUInt16LE(at + 8);
    const method = zip.readUInt16LE(at + 10);
    const pathLength = zip.readUInt16LE(at + 28);
    yield {
      path: zip.toString("utf8", at + lengths.entry, at + lengths.entry + pathLength),
      method: method === 0 ? "stored" : method === 8 ? "deflated" : "other",
      isEncrypted: flags % 2 === 1,
      packed: packedOf(zip, zip.readUInt32LE(at + 42), zip.readUInt32LE(at + 20)),
      size: zip.readUInt32LE(at + 24),
    };
    at += lengths.entry + pathLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  if (at !== end) throw new Error("the directory of a zip file is damaged");
}

function packedOf(zip: Buffer, at: number, length: number): Buffer {
  const from = at + lengths.local + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
  if (zip.readUInt32LE(at) !== headers.local || from + length > zip.length) {
    throw new Error("an entry of a zip file is damaged");
  }
  return zip.subarray(from, from + length);
}

function endOf(zip: Buffer): number {
  const last = zip.length - lengths.end;
  for (let at = last; at >= Math.max(0, last - commentMax); at--) {
    if (zip.readUInt32LE(at) === headers.end) return at;
  }
  throw new Error("a zip file has no directory");
}
