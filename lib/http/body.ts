import { invalidRequest, malformedRequest } from "@/lib/protocol/errors";
import { parseStrictJson } from "./strict-json";

export const bodyBytesMax = 64 * 1024;

/** The bytes as they came, counted while they come: they are what was signed. */
export async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  while (reader !== undefined) {
    // A client that hangs up in the middle is no failure of ours.
    const { done, value } = await reader.read().catch(() => {
      throw malformedRequest("The body broke off before its end.");
    });
    if (done) break;
    length += value.length;
    if (length > bodyBytesMax) {
      await reader.cancel();
      throw invalidRequest([{ path: "body", message: "Must not be larger than 64 KiB." }]);
    }
    chunks.push(value);
  }
  const body = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}

/** Spec, Common request headers: what has a body says that it is JSON. */
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
