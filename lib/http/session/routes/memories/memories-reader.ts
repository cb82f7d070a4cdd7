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
    return yield { refusal: "Nothing was kept: choose a file, or paste the memories." };
  }
  if (input === "both") {
    return yield { refusal: "Nothing was kept: send the file or the pasted text, one at a time." };
  }
  const profile = form.get("profile");
  const { items, ...read } = readImport("pasted" in input ? input.pasted : input, {
    format: formatOf(form.get("format")),
  });
  const head = { ...read, items: items.length };
  yield { profile: typeof profile === "string" ? profile : null, head };
  yield* prepareSlices(items);
}

async function inputOf(form: FormData): Promise<Uint8Array | { pasted: string } | "both" | null> {
  const [file, text] = [form.get("file"), form.get("text")];
  const pasted = typeof text === "string" && text.trim() !== "" ? { pasted: text } : null;
  if (!(file instanceof File && file.size > 0)) return pasted;
  return pasted === null ? new Uint8Array(await file.arrayBuffer()) : "both";
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
