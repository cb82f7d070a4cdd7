import type { Answer, Fault, Input } from "./faulty-proxy";

/** One promise broken each, and the check that says so. */
export const faults: Fault[] = [
  {
    name: "leaves X-RateLimit-Remaining out",
    caughtBy: "envelope.ratelimit-remaining",
    spoil: header("x-ratelimit-remaining", null),
  },
  {
    name: "lets answers be cached",
    caughtBy: "envelope.no-store",
    spoil: header("cache-control", "public, max-age=60"),
  },
  {
    name: "makes up a request id for the header",
    caughtBy: "envelope.request-id",
    spoil: header("x-request-id", "req_0000000000000000000000"),
  },
  {
    name: "tells causes",
    caughtBy: "envelope.error",
    spoil: (answer) => (answer.status < 400 ? answer : put(answer, "data", { cause: "stack" })),
  },
  {
    name: "accepts a signature over another query",
    caughtBy: "signature.covers.query-value",
    spoil: instead("PROF001"),
  },
  {
    name: "accepts two Authorization headers",
    caughtBy: "authentication.refuses.two-headers",
    spoil: instead("PROF001"),
  },
  {
    name: "tells a bad ts as a bad credential",
    caughtBy: "freshness.ts.old",
    spoil: (answer) => (isCode(answer, "PROF007") ? put(answer, "error.code", "PROF001") : answer),
  },
  { name: "accepts a nonce twice", caughtBy: "freshness.nonce.reused", spoil: instead("PROF008") },
  {
    name: "answers a version that it does not speak",
    caughtBy: "versions.refuses.2.0",
    spoil: instead("PROF006"),
  },
  {
    name: "takes the last of two equal members",
    caughtBy: "bodies.refuses.two-keys",
    spoil: (answer) => {
      const isTwice = JSON.stringify(answer.json).includes("the same member twice");
      return isTwice ? refusal(answer, 403, "PROF002") : answer;
    },
  },
  {
    name: "has an HTML page for unknown paths",
    caughtBy: "paths.unknown.noun",
    spoil: (answer) => (answer.status === 404 ? { ...answer, json: "<h1>Not found</h1>" } : answer),
  },
  {
    name: "says 405 without Allow",
    caughtBy: "paths.method.DELETE.getProfile",
    spoil: header("allow", null),
  },
  {
    name: "shows a profile with a category that it refuses by name",
    caughtBy: "leaks.profile",
    spoil: (answer, { target }) =>
      target.includes("?") ? answer : put(answer, "data.memories.prof:health", leaked),
  },
  {
    name: "lists a memory that it refuses by name",
    caughtBy: "leaks.memories",
    spoil: (answer, { target }) =>
      target.endsWith("/memories") ? put(answer, "data.prof:health", leaked) : answer,
  },
  {
    name: "says in a refusal what it refuses",
    caughtBy: "leaks.bytes",
    spoil: (answer) =>
      isCode(answer, "PROF004")
        ? put(answer, "error.details.preview", "Sleeps badly in summer.")
        : answer,
  },
  {
    name: "refuses without saying that consent would do",
    caughtBy: "profile.consent-required",
    spoil: (answer) => (isCode(answer, "PROF004") ? refusal(answer, 403, "PROF002") : answer),
  },
  {
    name: "sends an agent to request the access that it has just requested",
    caughtBy: "access.consent-state",
    spoil: (answer) =>
      isCode(answer, "PROF004") ? put(answer, "error.details.state", "ask") : answer,
  },
  {
    name: "gives as many memories as are asked for",
    caughtBy: "memories.limit.clamped",
    spoil: (answer, { target }) =>
      target.includes("limit=201") ? put(answer, "meta.limit", 201) : answer,
  },
  {
    name: "writes a receipt without what was denied",
    caughtBy: "access.receipt.scopes",
    spoil: (answer, { target }) =>
      target.endsWith("/access") ? put(answer, "data.deniedScopes", []) : answer,
  },
  {
    name: "keeps proposals for ever",
    caughtBy: "propose.expires",
    spoil: (answer, { target }) =>
      target.endsWith("/propose") ? put(answer, "data.expiresAt", "2999-01-01T00:00:00Z") : answer,
  },
  {
    name: "shows an agent what others proposed",
    caughtBy: "proposals.own-only",
    spoil: (answer, { target }) =>
      target.endsWith("/proposals")
        ? put(answer, "data.0.agentDid", "did:prof:agent:local:other")
        : answer,
  },
  {
    name: "reviews what is decided already",
    caughtBy: "review.again.approve",
    spoil: instead("PROF006"),
  },
  {
    name: "never counts",
    caughtBy: "limits.counts-down",
    spoil: header("x-ratelimit-remaining", "20"),
  },
];

const leaked = [
  {
    id: "mem_0000000000000000000000",
    content: "Something about health.",
    confidence: 1,
    category: "prof:health",
    createdAt: "2026-01-01T00:00:00.000Z",
  },
];

function header(name: string, value: string | null): Fault["spoil"] {
  return (answer) => {
    const { [name]: _, ...rest } = answer.headers;
    return { ...answer, headers: value === null ? rest : { ...rest, [name]: value } };
  };
}

/** Where it should refuse with this code, it answers as it did the last time. */
function instead(code: string): Fault["spoil"] {
  return (answer: Answer, { lastSuccess }: Input) =>
    isCode(answer, code) ? lastSuccess : undefined;
}

function refusal(answer: Answer, status: number, code: string): Answer {
  return { ...put(put(answer, "error.code", code), "error.details", {}), status };
}

function isCode({ json }: Answer, code: string): boolean {
  return member(member(json, "error"), "code") === code;
}

/** With another value in that place, where the answer has the place. */
function put(answer: Answer, place: string, value: unknown): Answer {
  const names = place.split(".");
  const holder = names.slice(0, -1).reduce<unknown>(member, answer.json);
  if (isObject(holder)) holder[names.at(-1) ?? ""] = value;
  return answer;
}

function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
