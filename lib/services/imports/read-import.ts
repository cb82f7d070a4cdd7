import { isMem, memPart, readMem } from "./files/dot-mem";
import { gunzip, unzip } from "./files/unzip";
import { beginsWithBlock, readBlocks } from "./formats/blocks";
import { Collector, type ImportContents, ImportRefused, importBytesMax } from "./formats/item";
import { conversationsRefused, type JsonFormat, jsonFormats, readJson } from "./formats/json";
import { isJsonl, readJsonl } from "./formats/jsonl";
import { hasDatedLine, readLines } from "./formats/lines";
import { demandText } from "./formats/text";

const textReaders = {
  "claude-prompt": readLines,
  markdown: readLines,
  "mem0-plugin": readBlocks,
  jsonl: readJsonl,
};
type TextFormat = keyof typeof textReaders;

export type ImportFormat = TextFormat | JsonFormat | "dot-mem";
export const importFormats: readonly ImportFormat[] = [
  ...(Object.keys(textReaders) as TextFormat[]),
  ...jsonFormats,
  "dot-mem",
];

interface FormatRead {
  format: ImportFormat;
  /** What the person should check. */
  warning?: string;
}

export type ReadImport = FormatRead & ImportContents;

/**
 * Reads memories from a file or from pasted text, in the given format or in the one that the contents show.
 * Throws ImportRefused.
 */
export function readImport(
  input: Uint8Array | string,
  { format }: { format?: ImportFormat } = {},
): ReadImport {
  if (input.length > importBytesMax) throw tooLarge();
  const bytes = typeof input === "string" ? Buffer.from(input) : viewOf(input);
  if (bytes.length > importBytesMax) throw tooLarge();
  const collector = new Collector();
  const isZip = bytes.toString("latin1", 0, 2) === "PK" && (bytes[2] === 3 || bytes[2] === 5);
  const read = (isZip ? readZip : readFile)(bytes, collector, format);
  const { items, leftOut } = collector.contents;
  if (items.length === 0 && Object.keys(leftOut).length === 0) {
    const remedy = "choose another file or format, or paste the memories with one on each line";
    throw new ImportRefused("No memories were found", remedy);
  }
  return { ...read, items, leftOut };
}

function readFile(bytes: Buffer, collector: Collector, forced?: ImportFormat): FormatRead {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = demandText(isGzip ? gunzip(bytes) : bytes);
  const format = forced ?? textFormatOf(text);
  if (format === "dot-mem") {
    throw new ImportRefused("The file is not a .mem file", "zip the whole .mem folder");
  }
  if (!isTextFormat(format)) return readJson(text, collector, format);
  textReaders[format](text, collector);
  return { format };
}

function isTextFormat(format: ImportFormat | undefined): format is TextFormat {
  return format !== undefined && Object.hasOwn(textReaders, format);
}

/** Returns the text format that the beginning shows; undefined for JSON. */
function textFormatOf(text: Buffer): TextFormat | undefined {
  const beginning = text.toString("utf8", 0, 1_000).trimStart();
  if (beginning.startsWith("{")) return isJsonl(text) ? "jsonl" : undefined;
  // A dated line begins with a bracket too.
  if (/^\[\s*(?:[[{"\]]|$)/.test(beginning)) return undefined;
  if (beginsWithBlock(text)) return "mem0-plugin";
  return hasDatedLine(text) ? "claude-prompt" : "markdown";
}

const inZip = {
  memories: /(?:^|\/)memories\.json$/,
  accounts: /(?:^|\/)memories\/[^/]+\.json$/,
  memory: /(?:^|\/)memory\.json$/,
  lines: /(?:^|\/)memories\.jsonl(?:\.gz)?$/,
};

function readZip(bytes: Buffer, collector: Collector, forced?: ImportFormat): FormatRead {
  const wanted = Object.values(inZip);
  const { files, paths } = unzip(
    bytes,
    (path) => memPart(path) !== undefined || wanted.some((one) => one.test(path)),
  );
  const mem = new Map([...files].map(([path, file]) => [memPart(path) ?? path, file]));
  if (isMem(mem) && (forced === undefined || forced === "dot-mem")) {
    if ([...paths].some((path) => path.includes(":"))) {
      throw new ImportRefused("The .mem file has a path with a colon", "export it again");
    }
    readMem(mem, collector);
    return { format: "dot-mem" };
  }
  // OpenMemory writes its memories twice: both must not be read.
  for (const pattern of wanted) {
    const found = [...files].filter(([path]) => pattern.test(path));
    const reads = found.map(([, file]) => readFile(file, collector, forced));
    if (reads[0] !== undefined) return reads[0];
  }
  throw nothingIn([...paths]);
}

function nothingIn(paths: readonly string[]): ImportRefused {
  if (paths.some((path) => /(?:^|\/)conversations[^/]*\.json$/.test(path))) {
    return conversationsRefused();
  }
  const isNested = paths.some((path) => /\.(?:zip|mem)$/i.test(path));
  return isNested
    ? new ImportRefused("The zip file has another zip file in it", "import that one")
    : new ImportRefused("The zip file has no memories", "import the file that has them");
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function tooLarge(): ImportRefused {
  return new ImportRefused("The import is larger than 25 MB", "split it and import the parts");
}
