import { invalidRequest, malformedRequest } from "@/lib/protocol/errors";
import { parseStrictJson } from "./json/strict-json";
import type { ProtocolRequest } from "./protocol-request";

export const bodyBytesMax = 64 * 1024;

/** For forms that anybody may send; only signed-in users may send larger ones. */
export const publicFormBytesMax = 16 * 1024;

/** Returns the body's bytes, which were signed. Counts them as they arrive. */
export async function readBody(body: ProtocolRequest["body"]): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of unbroken(body)) {
    length += chunk.length;
    if (length > bodyBytesMax) throw bodyTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function bodyTooLarge() {
  return invalidRequest([{ path: "body", message: "Must not be larger than 64 KiB." }]);
}

// A client that disconnects is not an error of ours.
async function* unbroken(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw malformedRequest("The body broke off before its end.");
  }
}

/** Spec, Common request headers: a body must be declared as JSON. */
export function parseJsonBody(contentType: string | null, bytes: Uint8Array): unknown {
  demandJson(contentType);
  const parsed = parseStrictJson(bytes);
  if ("issues" in parsed) throw invalidRequest(parsed.issues);
  return parsed.value;
}

export function demandJson(contentType: string | null): void {
  if (isJson(contentType ?? "")) return;
  throw invalidRequest([{ path: "headers.Content-Type", message: "Must be application/json." }]);
}

function isJson(contentType: string): boolean {
  const [type = "", ...parameters] = contentType.toLowerCase().split(";");
  if (!/^application\/([a-z0-9.-]+\+)?json$/.test(type.trim())) return false;
  return parameters.every((parameter) => {
    const [name = "", value = ""] = parameter.trim().split("=");
    return name !== "charset" || ["utf-8", '"utf-8"', "utf8"].includes(value);
  });
}
