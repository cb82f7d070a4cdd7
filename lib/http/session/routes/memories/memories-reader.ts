import { constants, setPriority } from "node:os";
import { arrayBuffer } from "node:stream/consumers";
import { type ImportHead, prepareSlices } from "@/lib/services/imports/batches/prepare";
import { ImportRefused } from "@/lib/services/imports/formats/item";
import { type ImportFormat, importFormats, readImport } from "@/lib/services/imports/read-import";

// A process of its own for one import of memories: takes the form from its standard input, and writes a line with
// what was read and then one for each slice of rows.

/** The first line. */
export type MemoriesHead = { refusal: string } | { profile: string | null; head: ImportHead };

async function* linesOf(bytes: ArrayBuffer, contentType: string): AsyncGenerator<unknown> {
  const headers = { "Content-Type": contentType };
  const form = await new Response(bytes, { headers }).formData().catch(() => null);
  const input = form === null ? null : await inputOf(form);
  if (form === null || input === null) {
    return yield { refusal: "Nothing was sent: choose a file, or paste the memories." };
  }
  const profile = form.get("profile");
  const { items, ...read } = readImport(input, { format: formatOf(form.get("format")) });
  const head = { ...read, items: items.length };
  yield { profile: typeof profile === "string" ? profile : null, head };
  yield* prepareSlices(items);
}

async function inputOf(form: FormData): Promise<Uint8Array | string | null> {
  const [file, text] = [form.get("file"), form.get("text")];
  if (file instanceof File && file.size > 0) return new Uint8Array(await file.arrayBuffer());
  return typeof text === "string" && text.trim() !== "" ? text : null;
}

function formatOf(value: unknown): ImportFormat | undefined {
  return importFormats.find((format) => format === value);
}

function write(line: unknown): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

setPriority(constants.priority.PRIORITY_LOW);
const [, , contentType = ""] = process.argv;
try {
  for await (const line of linesOf(await arrayBuffer(process.stdin), contentType)) write(line);
} catch (error) {
  if (!(error instanceof ImportRefused)) throw error;
  write({ refusal: error.message } satisfies MemoriesHead);
}
