import { errorTable } from "@/lib/protocol/errors";
import { ErrorBody } from "@/lib/protocol/resources";
import type { Check } from "../../check";
import { claim } from "../../expect";
import type { Kit, Reply } from "../../kit";
import { profilePath } from "../../state";

// What holds for every answer is checked over every answer of the run, so this group comes last.

type Rule = {
  id: string;
  sentence: string;
  cites: string;
  holds: (reply: Reply) => boolean;
  of?: (reply: Reply) => boolean;
};

const headers = "Spec, Common response headers";
const always = "Protocol 8, Every answer under /prof";
const successes = ({ status }: Reply) => status < 400;
const failures = ({ status }: Reply) => status >= 400;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

const rules: Rule[] = [
  {
    id: "json",
    sentence: "Every body is a JSON object.",
    cites: "Spec, Endpoints: bodies and responses are JSON",
    holds: ({ json }) => isObject(json),
  },
  {
    id: "content-type",
    sentence: "Content-Type is application/json.",
    cites: "Spec, Endpoints: bodies and responses are JSON",
    holds: (reply) => /^application\/json\b/.test(header(reply, "content-type")),
  },
  {
    id: "success",
    sentence: "success is true where the call succeeded and false where it failed.",
    cites: "Spec, Common response envelope",
    holds: (reply) => member(reply, "success") === reply.status < 400,
  },
  {
    id: "data",
    sentence: "A success has data, and no error.",
    cites: "Spec, Common response envelope",
    of: successes,
    holds: (reply) => isObject(member(reply, "data")) && member(reply, "error") === undefined,
  },
  {
    id: "error",
    sentence: "A failure has error with code and message, and no data.",
    cites: "Spec, Errors",
    of: failures,
    holds: (reply) => {
      const error = errorOf(reply);
      return !!error?.message && member(reply, "data") === undefined;
    },
  },
  {
    id: "code",
    sentence: "Every error code comes under the HTTP status of the table.",
    cites: "Spec, Errors, the table; Protocol 6, 405 PROF006",
    of: failures,
    holds: (reply) => {
      const code = errorOf(reply)?.code;
      if (code === undefined) return false;
      return reply.status === errorTable[code].http || (code === "PROF006" && reply.status === 405);
    },
  },
  {
    id: "no-5xx",
    sentence: "No answer is a 5xx.",
    cites: "Protocol 8, Internal failure",
    holds: ({ status }) => status < 500,
  },
  {
    id: "no-redirect",
    sentence: "No answer is a redirect.",
    cites: always,
    holds: ({ status }) => status < 300 || status >= 400,
  },
  {
    id: "request-id",
    sentence: "meta.requestId is there, and X-Request-Id says the same.",
    cites: headers,
    holds: (reply) => {
      const { requestId } = metaOf(reply);
      return typeof requestId === "string" && requestId === header(reply, "x-request-id");
    },
  },
  {
    id: "request-id-form",
    sentence: "A request id is req_ and 22 characters of base62.",
    cites: "Protocol 8, Ids",
    holds: (reply) => /^req_[0-9A-Za-z]{22}$/.test(header(reply, "x-request-id")),
  },
  {
    id: "timestamp",
    sentence: "meta.timestamp is ISO 8601 in UTC.",
    cites: "Spec, Common response envelope",
    holds: (reply) => instant.test(String(metaOf(reply).timestamp)),
  },
  {
    id: "version",
    sentence: "PROF-Version is on every answer.",
    cites: "Spec, Versioning 3",
    holds: (reply) => header(reply, "prof-version") === "1.0",
  },
  {
    id: "versions-supported",
    sentence: "PROF-Version-Supported is on every answer.",
    cites: "Protocol 8, Versions",
    holds: (reply) => header(reply, "prof-version-supported").includes("1.0"),
  },
  ...["limit", "remaining", "reset"].map(
    (name): Rule => ({
      id: `ratelimit-${name}`,
      sentence: `X-RateLimit-${name} is on every answer, errors included, and a whole number.`,
      cites: name === "reset" ? "Protocol 7, Every response" : headers,
      holds: (reply) => /^\d+$/.test(header(reply, `x-ratelimit-${name}`)),
    }),
  ),
  {
    id: "ratelimit-range",
    sentence: "What remains is never more than the limit.",
    cites: "Spec, Limits 2",
    holds: (reply) =>
      Number(header(reply, "x-ratelimit-remaining")) <= Number(header(reply, "x-ratelimit-limit")),
  },
  {
    id: "no-store",
    sentence: "Cache-Control is private, no-store.",
    cites: always,
    holds: (reply) =>
      ["private", "no-store"].every((word) => header(reply, "cache-control").includes(word)),
  },
  {
    id: "vary",
    sentence: "Vary names Authorization.",
    cites: always,
    holds: (reply) => /\bauthorization\b/i.test(header(reply, "vary")),
  },
];

export const envelope: Check[] = [
  ...rules.map(
    ({ id, sentence, cites, holds, of = () => true }): Check => ({
      id: `envelope.${id}`,
      sentence,
      cites,
      run: async (kit) => {
        const meant = (await answers(kit)).filter(of);
        const breach = meant.find((reply) => !holds(reply));
        claim(
          breach === undefined,
          `${meant.filter((reply) => !holds(reply)).length} of ${meant.length} answers`,
          breach,
        );
      },
    }),
  ),
  {
    id: "envelope.request-id-unique",
    sentence: "No two answers have the same request id.",
    cites: headers,
    run: async (kit) => {
      const ids = (await answers(kit)).map((reply) => header(reply, "x-request-id"));
      claim(new Set(ids).size === ids.length, `${ids.length - new Set(ids).size} ids came twice`);
    },
  },
];

// With --only, this group may have nothing to look at yet; HEAD has no body to look at.
async function answers(kit: Kit): Promise<Reply[]> {
  if (!(kit.replies.some(successes) && kit.replies.some(failures))) {
    await kit.call({ target: profilePath(kit) });
    await kit.call({ as: "nobody", target: profilePath(kit) });
    await kit.call({ target: "/prof/v1" });
  }
  return kit.replies.filter(({ method }) => method !== "HEAD");
}

function header({ headers }: Reply, name: string): string {
  return String(headers[name] ?? "");
}

function errorOf({ json }: Reply) {
  return ErrorBody.safeParse(json).data?.error;
}

function metaOf(reply: Reply): Record<string, unknown> {
  const meta = member(reply, "meta");
  return isObject(meta) ? meta : {};
}

function member({ json }: Reply, name: string): unknown {
  return isObject(json) ? json[name] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
