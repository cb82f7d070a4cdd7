import { cookies } from "next/headers";
import { currentUser, requestCtx } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { ProfileArchive } from "@/lib/protocol/archive/profile-archive";
import { parseDid } from "@/lib/protocol/did";
import {
  forbidden,
  GatewayError,
  invalidRequest,
  issuesIn,
  unauthorized,
  unavailable,
} from "@/lib/protocol/errors";
import { exportProfile } from "@/lib/services/archive/export";
import { importProfile } from "@/lib/services/archive/import";
import { answer } from "../../reply";
import { parseStrictJson } from "../../strict-json";
import { profileOf } from "../page";

// A profile as a file, out and in. Not server actions: what goes through those is small.

const fileBytesMax = 50 * 1024 * 1024;
// What a form adds to its file.
const formBytesMax = fileBytesMax + 64 * 1024;

export function exportRoute(request: Request): Promise<Response> {
  return answer(request, async () => {
    if (request.headers.get("sec-fetch-site") === "cross-site") throw forbidden();
    const { ctx, who } = await signedIn();
    const { did } = await profileOf(who, new URL(request.url).searchParams.get("profile"));
    const pieces = await exportProfile(ctx, { did });
    const day = ctx.now.toISOString().slice(0, 10);
    return new Response(bytesOf(pieces), {
      headers: {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Disposition": `attachment; filename="profile-${parseDid(did)?.name}-${day}.json"`,
        "Cache-Control": "private, no-store",
      },
    });
  });
}

// As fast as it is taken: the next page is read when the one before is on its way.
function bytesOf(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

/** Tells the page that the form was on what became of it, once. */
export const importedCookie = "gateway-imported";
const tellingSeconds = 30;
const page = "/dashboard/settings/export";

/** From a form, with or without scripts: the answer is always the page it came from. */
export async function importRoute(request: Request): Promise<Response> {
  const told = await answer(request, async () => {
    if (!isOwnForm(request)) throw forbidden("This form was sent from somewhere else.");
    const { ctx, who } = await signedIn();
    const { archive, profile, switchPoliciesOn } = await inTurn(() => readForm(request));
    const { did } = await profileOf(who, profile);
    const { memories } = await importProfile(ctx, { did, archive, switchPoliciesOn });
    return { data: { ok: true, message: `Imported, with ${memories} memories.` } };
  });
  const { data, error } = await told.json();
  const message: string = data?.message ?? wordsOf(error);
  (await cookies()).set(
    importedCookie,
    JSON.stringify({ ok: error === undefined, message: message.slice(0, 1_000) }),
    { path: page, httpOnly: true, sameSite: "lax", maxAge: tellingSeconds },
  );
  return new Response(null, {
    status: 303,
    headers: { Location: page, "Cache-Control": "no-store" },
  });
}

function wordsOf(error: {
  message: string;
  details?: { issues?: { path: string; message: string }[] };
}) {
  const [first] = error.details?.issues ?? [];
  return first === undefined ? error.message : `${first.path}: ${first.message}`;
}

async function signedIn() {
  const who = await currentUser();
  if (who === null) throw unauthorized();
  const { userId, role } = who;
  return { who, ctx: requestCtx({ kind: "person", userId, role }) };
}

// Server actions are held against their origin by Next; this form is not one.
function isOwnForm({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  const from = headers.get("origin") ?? "";
  const own = engine().env.PUBLIC_URL[0] ?? "";
  const host = URL.canParse(from) ? new URL(from).host : null;
  return own === "" ? host === headers.get("host") : host === new URL(own).host;
}

let isReading = false;

// A file is in memory several times over while it is read: one at a time.
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (isReading) throw unavailable(new Error("another import is being read"), 10);
  isReading = true;
  try {
    return await work();
  } finally {
    isReading = false;
  }
}

async function readForm(request: Request) {
  const form = await boundedForm(request);
  const file = form.get("file");
  if (!(file instanceof File) || file.size === 0) throw unfit("Choose a file first.");
  if (file.size > fileBytesMax) throw unfit("Must not be larger than 50 MB.");
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

async function boundedForm(request: Request): Promise<FormData> {
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > formBytesMax) controller.error(unfit("Must not be larger than 50 MB."));
      else controller.enqueue(chunk);
    },
  });
  const type = request.headers.get("content-type") ?? "";
  const body = request.body?.pipeThrough(counted) ?? null;
  try {
    return await new Response(body, { headers: { "Content-Type": type } }).formData();
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw bytes > formBytesMax
      ? unfit("Must not be larger than 50 MB.")
      : unfit("Could not be read.");
  }
}

function unfit(message: string) {
  return invalidRequest([{ path: "file", message }]);
}
