import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  type ConsentState,
  consentRequired,
  type ErrorCode,
  errorTable,
  forbidden,
  GatewayError,
  internal,
  invalidRequest,
  issuesIn,
  malformedRequest,
  methodNotAllowed,
  nonceReused,
  notFound,
  rateLimited,
  timestampInvalid,
  tooManyPending,
  unauthorized,
  unavailable,
} from "./errors";

const now = new Date("2030-01-31T12:00:00Z");
const reached = { limit: 100, resetAt: new Date("2030-01-31T12:10:00.001Z"), now };

describe("each row of the specification's error table has a function that builds it", () => {
  it.each<[ErrorCode, number, string, GatewayError]>([
    ["PROF001", 401, "Unauthorized", unauthorized()],
    ["PROF002", 403, "Forbidden", forbidden()],
    ["PROF003", 404, "Not Found", notFound("proposal")],
    [
      "PROF004",
      403,
      "Consent Required",
      consentRequired({ scopes: ["prof:health"], state: "ask" }),
    ],
    ["PROF005", 429, "Rate Limited", rateLimited(reached)],
    ["PROF006", 400, "Invalid Request", invalidRequest([])],
    ["PROF007", 401, "Timestamp Invalid", timestampInvalid(now)],
    ["PROF008", 401, "Nonce Reused", nonceReused()],
    ["PROF500", 500, "Internal Error", internal(new Error("secret"))],
    ["PROF503", 503, "Unavailable", unavailable(new Error("secret"), 5)],
  ])("%s, HTTP %i, %s", (code, http, meaning, error) => {
    expect(errorTable[code]).toEqual({ http, meaning });
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({ code, http });
    expect(error.message).not.toContain("secret");
  });
});

it("PROF004 names the first scope and lists all denied ones", () => {
  const scopes = ["prof:health.*", "prof:financial"];
  const request = { consentRequestId: "creq_1", consentUrl: "https://g/c" };
  const error = consentRequired({ scopes, state: "waiting", ...request });
  expect(error.message).toContain("prof:health.*");
  expect(error.details).toEqual({
    deniedScopes: scopes,
    state: "waiting",
    consentRequestId: "creq_1",
    consentUrl: "https://g/c",
  });
});

it("PROF004 sends only an agent that can ask to request access", () => {
  const messageOf = (state: ConsentState) =>
    consentRequired({ scopes: ["prof:health"], state }).message;
  expect(messageOf("ask")).toContain("Request access");
  expect(messageOf("waiting")).toContain("try again once consent is given");
  expect(messageOf("denied")).toContain("Do not ask again");
});

describe("PROF005 says when to try again, in whole seconds, rounded up", () => {
  it.each([rateLimited(reached), tooManyPending(reached)])("%s", (error) => {
    expect(error.headers).toEqual({ "Retry-After": "601" });
    expect(error.details).toMatchObject({ limit: 100, retryAfterSeconds: 601 });
  });

  it("and never less than one second", () => {
    expect(rateLimited({ limit: 1, resetAt: now, now }).headers["Retry-After"]).toBe("1");
  });
});

it("PROF006 names the first issue in its message and lists at most 50", () => {
  const issues = Array.from({ length: 60 }, (_, index) => ({
    path: `body.${index}`,
    message: "No.",
  }));
  const error = invalidRequest(issues, { status: "approved" });
  expect(error.message).toContain("body.0: No.");
  expect(error.details).toEqual({ issues: issues.slice(0, 50), status: "approved" });
});

it("an issue's path begins with the part of the request", () => {
  const { error } = z.object({ scopes: z.array(z.string()) }).safeParse({ scopes: ["a", 1] });
  expect(error && issuesIn("body", error)).toMatchObject([{ path: "body.scopes.1" }]);
});

it("a method that a path does not take is PROF006 with HTTP 405 and Allow", () => {
  expect(methodNotAllowed(["GET", "POST"])).toMatchObject({
    code: "PROF006",
    http: 405,
    headers: { Allow: "GET, POST" },
  });
});

it("a request that is not well-formed may carry an HTTP status of its own", () => {
  expect(malformedRequest("Too large.")).toMatchObject({ code: "PROF006", http: 400 });
  expect(malformedRequest("Too large.", 431)).toMatchObject({ code: "PROF006", http: 431 });
});

it("PROF007 tells the gateway's clock", () => {
  expect(timestampInvalid(now).details).toEqual({ serverTime: "2030-01-31T12:00:00.000Z" });
});

it("PROF503 says when to try again", () => {
  expect(unavailable(null, 5).headers).toEqual({ "Retry-After": "5" });
});

it("every 401 names the schemes that would do", () => {
  for (const error of [unauthorized(), timestampInvalid(now), nonceReused()]) {
    expect(error.headers).toEqual({ "WWW-Authenticate": "PROF-Signature, Bearer" });
  }
});

it("a cause is kept for the log", () => {
  const cause = new Error("secret");
  expect(internal(cause).cause).toBe(cause);
  expect(unavailable(cause, 5).cause).toBe(cause);
});
