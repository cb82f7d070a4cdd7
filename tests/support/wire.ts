import type { Client, RequestToSign } from "@/lib/protocol/client";
import type { ErrorCode } from "@/lib/protocol/errors";
import { inProcess } from "./harness";

// Requests and answers as they are on the wire, for what the typed client neither sends nor shows.

export interface Reply {
  status: number;
  headers: Headers;
  body: {
    success: boolean;
    data?: unknown;
    error?: { code: ErrorCode; message: string; details?: Record<string, unknown> };
    meta: { requestId: string; timestamp: string };
  };
}

/** Signed by the client, then changed: a header that is null is left out. */
export async function call(
  client: Client,
  request: RequestToSign,
  changed: Record<string, string | null> = {},
): Promise<Reply> {
  const { url, method, body, headers } = await client.signedRequest(request);
  const all: Record<string, string | null> = { ...headers, ...changed };
  const sent = Object.entries(all).filter(
    (header): header is [string, string] => header[1] !== null,
  );
  return replyOf(await inProcess(url, { method, body, headers: Object.fromEntries(sent) }));
}

export async function replyOf(response: Response): Promise<Reply> {
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** What is wrong with the request, as the answer lists it. */
export function issuePaths({ body }: Reply): string[] {
  const issues = body.error?.details?.issues;
  return Array.isArray(issues) ? issues.map(({ path }: { path: string }) => path) : [];
}

export function profilePath(did: string, rest = ""): string {
  return `/prof/v1/profile/${encodeURIComponent(did)}${rest}`;
}
