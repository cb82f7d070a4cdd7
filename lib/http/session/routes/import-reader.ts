import { constants, setPriority } from "node:os";
import { arrayBuffer } from "node:stream/consumers";
import { packArchive } from "@/lib/services/archive/pack-archive";
import { parseStrictJson } from "../../json/strict-json";
import { confirmField } from "../confirm-field";
import { type ImportRead, importBytesMax, type ReadHead, tooLarge } from "./read-import";

// A process of its own for one import: takes the form from its standard input, and writes a line with the outcome
// and then one for each slice of the archive. What it cannot bear ends it, and not the gateway.

async function read(bytes: ArrayBuffer, contentType: string): Promise<ImportRead> {
  const headers = { "Content-Type": contentType };
  const form = await new Response(bytes, { headers }).formData().catch(() => null);
  if (form === null) return unfit("Could not be read.");
  const file = form.get("file");
  if (!(file instanceof File) || file.size === 0) return unfit("Choose a file first.");
  if (file.size > importBytesMax) return unfit(tooLarge);
  const json = parseStrictJson(new Uint8Array(await file.arrayBuffer()), "file");
  const textOf = (name: string) => {
    const value = form.get(name);
    return value instanceof File ? "" : value;
  };
  return {
    archive: "issues" in json ? json : packArchive(json.value),
    profile: textOf("profile"),
    password: textOf(confirmField),
    switchPoliciesOn: form.get("policies") === "on",
  };
}

function unfit(message: string): ImportRead {
  return { issues: [{ path: "file", message }] };
}

function* linesOf(done: ImportRead): Generator<string | Uint8Array> {
  if ("issues" in done || "issues" in done.archive) return yield JSON.stringify(done);
  const { slices, ...archive } = done.archive;
  const lists = slices.map(({ list }) => list);
  yield JSON.stringify({ ...done, archive: { ...archive, lists } } satisfies ReadHead);
  for (const { rows } of slices) yield rows;
}

setPriority(constants.priority.PRIORITY_LOW);
const [, , contentType = ""] = process.argv;
for (const line of linesOf(await read(await arrayBuffer(process.stdin), contentType))) {
  process.stdout.write(line);
  process.stdout.write("\n");
}
