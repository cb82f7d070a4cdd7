import { ProtocolError } from "@/lib/protocol/client";
import { inert } from "./print";

export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  unauthorized: 3,
  forbidden: 4,
  notFound: 5,
  invalid: 6,
  limited: 7,
  unreachable: 8,
} as const;

/** For help and documentation. */
export const exitCodeMeanings: readonly [number, string][] = [
  [exitCodes.ok, "done"],
  [exitCodes.unexpected, "something unexpected failed"],
  [exitCodes.usage, "the command line, the configuration or the key file is not usable"],
  [exitCodes.unauthorized, "credentials were refused (PROF001, PROF007, PROF008)"],
  [exitCodes.forbidden, "forbidden, or consent is required (PROF002, PROF004)"],
  [exitCodes.notFound, "not found (PROF003)"],
  [exitCodes.invalid, "the request is not valid (PROF006)"],
  [exitCodes.limited, "a limit is reached (PROF005)"],
  [exitCodes.unreachable, "the gateway cannot be reached, or failed (PROF500, PROF503)"],
];

/** Something to correct before anything was sent. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export interface Failure {
  exitCode: number;
  text: string;
  json: unknown;
}

export function describeFailure(thrown: unknown): Failure {
  if (thrown instanceof ProtocolError) return refused(thrown);
  if (thrown instanceof PendingAgentError) return pending(thrown);
  if (thrown instanceof UsageError) return plain(exitCodes.usage, thrown.message);
  if (isUnreachable(thrown)) {
    const message =
      "The gateway cannot be reached. Check the address (--url, PROF_URL) and that it runs.";
    return plain(exitCodes.unreachable, message);
  }
  return plain(exitCodes.unexpected, thrown instanceof Error ? thrown.message : String(thrown));
}

/** A refusal of an agent whose registration waited for an admin when it was made. */
export class PendingAgentError extends Error {
  override readonly name = "PendingAgentError";
  constructor(readonly refusal: ProtocolError) {
    super(refusal.message);
  }
}

const pendingAdvice =
  "This agent's registration waited for an admin when it was made. Repeat the command that registered it to see whether it was approved.";

function pending({ refusal }: PendingAgentError): Failure {
  const { text, ...failure } = refused(refusal);
  return { ...failure, text: `${text}\n${pendingAdvice}` };
}

function refused({ code, message, details, requestId, status }: ProtocolError): Failure {
  const lines = [`${code ?? `HTTP ${status}`}: ${inert(message)}`, ...adviceIn(details)];
  if (requestId !== null) lines.push(`Request id: ${inert(requestId)}`);
  return {
    exitCode: exitCodeOf(status),
    text: lines.join("\n"),
    json: { error: { code, message, details }, status, requestId },
  };
}

// Advice from the details of a refusal.
function adviceIn(details: Record<string, unknown>): string[] {
  const { issues, deniedScopes, consentUrl, serverTime } = details;
  const lines: string[] = [];
  if (Array.isArray(issues)) {
    const [, ...others] = issues;
    for (const { path, message } of others) lines.push(inert(`  ${path}: ${message}`));
  }
  if (Array.isArray(deniedScopes)) lines.push(inert(`Denied: ${deniedScopes.join(", ")}`));
  if (typeof consentUrl === "string") lines.push(inert(`The owner answers at ${consentUrl}`));
  if (typeof serverTime === "string") lines.push(inert(`The gateway's clock says ${serverTime}`));
  return lines;
}

function exitCodeOf(status: number): number {
  switch (status) {
    case 401:
      return exitCodes.unauthorized;
    case 403:
      return exitCodes.forbidden;
    case 404:
      return exitCodes.notFound;
    case 429:
      return exitCodes.limited;
    default:
      return status >= 500 ? exitCodes.unreachable : exitCodes.invalid;
  }
}

function plain(exitCode: number, message: string): Failure {
  return { exitCode, text: message, json: { error: { code: null, message } } };
}

// Returns whether fetch got no answer: a TypeError, or the client's timeout.
function isUnreachable(thrown: unknown): boolean {
  return thrown instanceof TypeError
    ? thrown.message === "fetch failed"
    : thrown instanceof DOMException && thrown.name === "TimeoutError";
}
