import { ProfileArchive } from "@/lib/protocol/archive/profile-archive";
import { busy, GatewayError, invalidRequest, issuesIn } from "@/lib/protocol/errors";
import { parseStrictJson } from "../../strict-json";
import { withoutEvents } from "./without-events";

export const importBytesMax = 50 * 1024 * 1024;
// What a form adds to its file.
const formBytesMax = importBytesMax + 64 * 1024;
// With the log, which is read past; how long a request may take bounds it earlier.
const uploadBytesMax = 2 * 1024 * 1024 * 1024;
const heldBytesMax = 2 * formBytesMax;
const retryAfterSeconds = 15;

export interface ImportForm {
  archive: ProfileArchive;
  profile: FormDataEntryValue | null;
  switchPoliciesOn: boolean;
}

interface Importing {
  request: Request;
  userId: string;
  /** Throws if the form may not be taken; asked before its file is parsed. */
  admit: (form: FormData) => Promise<void>;
}

// Of this process: whose imports are under way, and how much of them has come.
const importing = new Set<string>();
let heldBytes = 0;

/**
 * Reads an import and does the work with it. A file is in memory several times over until then, so what all
 * of them hold is bounded, and each user has one. Whoever sends slowly holds what has come so far, as long as
 * the front door lets a request take.
 */
export async function withImport<T>(
  { request, userId, admit }: Importing,
  work: (form: ImportForm) => Promise<T>,
): Promise<T> {
  if (importing.has(userId)) {
    throw busy("Another import of yours is under way. Wait until it has ended.", retryAfterSeconds);
  }
  importing.add(userId);
  let bytes = 0;
  try {
    const form = await readForm(request, (arrived) => {
      bytes += arrived;
      heldBytes += arrived;
      if (bytes > formBytesMax) throw tooLarge();
      if (heldBytes <= heldBytesMax) return;
      const message = "Other imports are being read. Nothing was imported; try again in a moment.";
      throw busy(message, retryAfterSeconds);
    });
    await admit(form);
    return await work(await parse(form));
  } finally {
    heldBytes -= bytes;
    importing.delete(userId);
  }
}

/** Throws what the form is refused for. */
type Hold = (bytes: number) => void;

async function readForm(request: Request, hold: Hold): Promise<FormData> {
  let refusal: unknown = unfit("Could not be read.");
  const counted = (count: Hold) =>
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        try {
          count(chunk.length);
          controller.enqueue(chunk);
        } catch (error) {
          refusal = error;
          controller.error(error);
        }
      },
    });
  let uploaded = 0;
  const bounded = counted((bytes) => {
    uploaded += bytes;
    if (uploaded > uploadBytesMax) throw tooLarge();
  });
  const body = request.body
    ?.pipeThrough(bounded)
    .pipeThrough(withoutEvents())
    .pipeThrough(counted(hold));
  const headers = { "Content-Type": request.headers.get("content-type") ?? "" };
  try {
    return await new Response(body ?? null, { headers }).formData();
  } catch (error) {
    // A body that broke off or is no form.
    throw error instanceof GatewayError ? error : refusal;
  }
}

async function parse(form: FormData): Promise<ImportForm> {
  const file = form.get("file");
  if (!(file instanceof File) || file.size === 0) throw unfit("Choose a file first.");
  if (file.size > importBytesMax) throw tooLarge();
  const read = parseStrictJson(new Uint8Array(await file.arrayBuffer()));
  if ("issues" in read) throw invalidRequest(read.issues);
  const archive = ProfileArchive.safeParse(read.value);
  if (!archive.success) throw invalidRequest(issuesIn("file", archive.error));
  return {
    archive: archive.data,
    profile: form.get("profile"),
    switchPoliciesOn: form.get("policies") === "on",
  };
}

function tooLarge() {
  return unfit("Must not be larger than 50 MB, besides its activity log.");
}

function unfit(message: string) {
  return invalidRequest([{ path: "file", message }]);
}
