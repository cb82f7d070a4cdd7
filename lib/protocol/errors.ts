import type { z } from "zod";
import type { Scope } from "./scope";

// Spec, Errors; the last two are added by this gateway (Protocol 8).
export const errorTable = {
  PROF001: { http: 401, meaning: "Unauthorized" },
  PROF002: { http: 403, meaning: "Forbidden" },
  PROF003: { http: 404, meaning: "Not Found" },
  PROF004: { http: 403, meaning: "Consent Required" },
  PROF005: { http: 429, meaning: "Rate Limited" },
  PROF006: { http: 400, meaning: "Invalid Request" },
  PROF007: { http: 401, meaning: "Timestamp Invalid" },
  PROF008: { http: 401, meaning: "Nonce Reused" },
  PROF500: { http: 500, meaning: "Internal Error" },
  PROF503: { http: 503, meaning: "Unavailable" },
} as const;
export type ErrorCode = keyof typeof errorTable;

export type Issue = { path: string; message: string };

type Refusal = {
  code: ErrorCode;
  message: string;
  http?: number;
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  cause?: unknown;
};

/** `message`, `details` and `headers` are public; `cause` only ever reaches the log. */
export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: ErrorCode;
  readonly http: number;
  readonly details?: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor({ code, message, http, details, headers, cause }: Refusal) {
    const { stackTraceLimit } = Error;
    // These stacks are never read, and collecting one takes longer than checking a signature's form.
    Error.stackTraceLimit = 0;
    super(message, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.http = http ?? errorTable[code].http;
    this.details = details;
    this.headers = headers ?? (this.http === 401 ? challenge : {});
  }
}

/** One message for every bad credential: the answer must not tell an unknown DID from a wrong key. */
export function unauthorized(): GatewayError {
  return new GatewayError({
    code: "PROF001",
    message:
      "Credentials are missing or not valid. Sign the request with an active key of a registered DID, or send a valid connection token.",
  });
}

/** The 401 outside the protocol, where a session identifies the user. */
export function signInFirst(): GatewayError {
  return new GatewayError({
    code: "PROF001",
    message: "Nobody is signed in. Send the session cookie of somebody who is.",
    headers: { "WWW-Authenticate": 'Cookie form-action="/sign-in"' },
  });
}

/** For lasting changes, which need more than the session. */
export function confirmFirst(): GatewayError {
  const message =
    "Confirm that it is you: give your password, or sign in again, and repeat this. Nothing was changed.";
  return new GatewayError({ code: "PROF002", message, details: { confirm: true } });
}

/** Whether it was refused only because the person must confirm first. */
export function isUnconfirmed(thrown: unknown): boolean {
  return thrown instanceof GatewayError && thrown.details?.confirm === true;
}

export function forbidden(message = "This caller may not do this."): GatewayError {
  return new GatewayError({ code: "PROF002", message });
}

export function notFound(
  noun: string,
  hint = "Check the address and the identifiers in it.",
): GatewayError {
  return new GatewayError({ code: "PROF003", message: `There is no such ${noun} here. ${hint}` });
}

/** What an agent can do after a PROF004: nothing, wait for the owner, or request access. */
export const consentStates = ["denied", "waiting", "ask"] as const;
export type ConsentState = (typeof consentStates)[number];

type ConsentRequired = {
  scopes: readonly Scope[];
  /** What the message names; the first where left out. */
  named?: Scope;
  state: ConsentState;
  consentRequestId?: string;
  consentUrl?: string;
  /** Set if nobody was asked because the agent has this many requests pending. */
  pendingMax?: number;
};

export function consentRequired(required: ConsentRequired): GatewayError {
  const { scopes, named = scopes[0], pendingMax, ...details } = required;
  const message = pendingMax
    ? `The owner was not asked for ${named}: this agent has ${pendingMax} requests waiting here, the most that one can have. Request access again once the owner has answered one.`
    : consentMessages[details.state](named);
  const other = named === scopes[0] ? "" : ` ${consentMessages.denied(scopes[0])}`;
  const given = { deniedScopes: scopes, ...details };
  return new GatewayError({ code: "PROF004", message: message + other, details: given });
}

const consentMessages: Record<ConsentState, (scope: Scope | undefined) => string> = {
  denied: (scope) =>
    `${scope} is denied to this caller. Do not ask again until the owner or an admin has changed that.`,
  waiting: (scope) =>
    `The owner's consent is required for ${scope}. The owner has been asked; try again once consent is given.`,
  ask: (scope) =>
    `The owner's consent is required for ${scope}. Request access and wait for the owner's consent.`,
};

type LimitReached = { limit: number; resetAt: Date; now: Date };

export function rateLimited(reached: LimitReached): GatewayError {
  return tooMany(`The limit of ${reached.limit} requests an hour is reached.`, reached);
}

/** The rate limit's refusal for a person, shown in forms. */
export function tooManyActions(reached: LimitReached): GatewayError {
  const { limit } = reached;
  return tooMany(
    `The limit of ${limit} requests an hour is reached. Nothing was changed.`,
    reached,
  );
}

/** Protocol 7: failed authentication counts against the network peer. */
export function tooManyFailures(reached: LimitReached): GatewayError {
  return tooMany("Too many requests from this address failed to authenticate.", reached);
}

/** At a password, by network or by account. */
export function tooManyTries(reached: Omit<LimitReached, "limit">): GatewayError {
  return tooMany("Too many passwords were tried. Nothing was checked.", reached);
}

/** Protocol 6: an agent may have so many pending proposals on one profile. */
export function tooManyPending(reached: LimitReached): GatewayError {
  return tooMany(`The limit of ${reached.limit} pending proposals is reached.`, reached);
}

const issuesMax = 50;

export function invalidRequest(
  issues: readonly Issue[],
  details?: Record<string, unknown>,
): GatewayError {
  const first = issues.slice(0, 1).map(({ path, message }) => ` ${path}: ${message}`);
  return new GatewayError({
    code: "PROF006",
    message: `The request is not valid.${first.join("")}`,
    details: { issues: issues.slice(0, issuesMax), ...details },
  });
}

/** Well-formed, but not possible now: the message says why. */
export function notNow(message: string): GatewayError {
  return new GatewayError({ code: "PROF006", message });
}

/** Returns the issues of a schema, prefixed with the part of the request ("body.scopes.0"). */
export function issuesIn(part: string, error: z.ZodError): Issue[] {
  return error.issues.map(({ path, message }) => ({ path: [part, ...path].join("."), message }));
}

// HTTP has its own statuses for some of what is not valid.
export function malformedRequest(message: string, http: 400 | 408 | 421 | 431 = 400): GatewayError {
  return new GatewayError({ code: "PROF006", http, message });
}

// Protocol 6: an error with another HTTP status than the table's.
export function methodNotAllowed(allow: readonly string[]): GatewayError {
  const methods = allow.join(", ");
  return new GatewayError({
    code: "PROF006",
    http: 405,
    message: `This path does not take that method. Use ${methods}.`,
    details: { allow },
    headers: { Allow: methods },
  });
}

export function timestampInvalid(now: Date): GatewayError {
  return new GatewayError({
    code: "PROF007",
    message:
      "The timestamp is not acceptable. Send UTC as YYYY-MM-DDTHH:MM:SSZ, close to the gateway's clock in details.serverTime.",
    details: { serverTime: now.toISOString() },
  });
}

export function nonceReused(): GatewayError {
  return new GatewayError({
    code: "PROF008",
    message: "This nonce was already used. Sign the request again with a new one.",
  });
}

export function unavailable(cause: unknown, retryAfterSeconds: number): GatewayError {
  return new GatewayError({
    code: "PROF503",
    message: "The gateway cannot answer right now. Try again shortly.",
    headers: { "Retry-After": String(retryAfterSeconds) },
    cause,
  });
}

/** A 503 whose reason is known and no failure. */
export function busy(message: string, retryAfterSeconds: number): GatewayError {
  const headers = { "Retry-After": String(retryAfterSeconds) };
  return new GatewayError({ code: "PROF503", message, headers });
}

export function internal(cause: unknown): GatewayError {
  return new GatewayError({
    code: "PROF500",
    message: "Something went wrong in the gateway. Quote the request id when you report it.",
    cause,
  });
}

// RFC 9110, 11.6.1: a 401 names the schemes that would do.
const challenge = { "WWW-Authenticate": "PROF-Signature, Bearer" };

type Reached = Omit<LimitReached, "limit"> & Partial<LimitReached>;

function tooMany(message: string, { limit, resetAt, now }: Reached): GatewayError {
  const seconds = Math.max(1, Math.ceil((resetAt.getTime() - now.getTime()) / 1000));
  return new GatewayError({
    code: "PROF005",
    message: `${message} Try again in ${seconds} seconds.`,
    details: { limit, retryAfterSeconds: seconds, resetAt: resetAt.toISOString() },
    headers: { "Retry-After": String(seconds) },
  });
}
