import { matchEndpoint } from "@/lib/protocol/endpoints";
import { errorTable } from "@/lib/protocol/errors";
import { ErrorBody, envelope } from "@/lib/protocol/resources";
import { decodePath } from "@/lib/protocol/signature";
import type { CallerName, Draft, World } from "./message";
import type { Answer, Heard } from "./wire";

/** What is wrong with how a request was answered; nothing, mostly. */
export function judge(world: World, draft: Draft, bytes: Buffer, heard: Heard): string[] {
  const { answers, rest, isLate } = heard;
  if (isLate) return ["no answer within 2 s"];
  if (answers.length === 0) return isCut(draft, bytes) ? [] : ["closed without an answer"];
  const callers = [draft.caller, ...(draft.followedBy ?? [])];
  const faults = answers.flatMap((answer, nth) =>
    judgeAnswer({ world, draft, bytes, caller: callers[nth] ?? "nobody" }, answer),
  );
  // Where the request line cannot be read, nobody knows that it was HEAD.
  if (rest > 0 && draft.method !== "HEAD") faults.push(`${rest} bytes that belong to no answer`);
  if (!draft.once && answers.length > 1) faults.push(`${answers.length} answers to one request`);
  return faults;
}

type Sent = { world: World; draft: Draft; bytes: Buffer; caller: CallerName };

function judgeAnswer({ world, draft, bytes, caller }: Sent, answer: Answer): string[] {
  const { status, body } = answer;
  const text = body.toString("utf8");
  const heads = [...answer.headers].flat().join("\n");
  const leaked = world.secrets[caller].filter(
    (secret) => text.includes(secret) || heads.includes(secret),
  );
  const faults = leaked.map((secret) => `it tells ${secret}`);
  if (status >= 500) faults.push(`HTTP ${status}`);
  if (draft.expected !== null && !draft.expected.includes(status) && status !== 429) {
    faults.push(`HTTP ${status}, not ${draft.expected.join(" or ")}`);
  }
  if (!isElsewhere(bytes)) faults.push(...headerFaults(answer), ...bodyFaults(draft, answer, text));
  return faults;
}

// What is not under /prof is Next.js's to answer; what cannot be read is answered like the protocol.
function isElsewhere(bytes: Buffer): boolean {
  const [, target] = /^[A-Z-]+ (\/[!-~]*) HTTP\/1\.1\r\n/.exec(bytes.toString("latin1")) ?? [];
  return target !== undefined && !/^\/prof([/?]|$)/.test(target);
}

const required: readonly (readonly [name: string, form: RegExp])[] = [
  ["content-type", /^application\/json\b/],
  ["prof-version", /^1\.0$/],
  ["prof-version-supported", /1\.0/],
  ["x-request-id", /^req_[0-9A-Za-z]{22}$/],
  ["x-ratelimit-limit", /^\d+$/],
  ["x-ratelimit-remaining", /^\d+$/],
  ["x-ratelimit-reset", /^\d+$/],
  ["cache-control", /^private, no-store$/],
  ["vary", /\bauthorization\b/i],
  ["x-content-type-options", /^nosniff$/],
];

function headerFaults({ headers, status }: Answer): string[] {
  const faults = required
    .filter(([name, form]) => !form.test(headers.get(name) ?? ""))
    .map(([name]) => `${name}: ${headers.get(name) ?? "missing"}`);
  if (status === 405 && !headers.has("allow")) faults.push("405 without Allow");
  if (status === 429 && !headers.has("retry-after")) faults.push("429 without Retry-After");
  return faults;
}

function bodyFaults({ method, target, kind }: Draft, answer: Answer, text: string): string[] {
  if (method === "HEAD") return [];
  const json = jsonOf(text);
  if (answer.status < 400) return successFaults(method, target, json);
  const parsed = ErrorBody.safeParse(json);
  if (!parsed.success) return [`not the envelope of a failure: ${text.slice(0, 100)}`];
  const { error, meta } = parsed.data;
  const faults: string[] = [];
  if (meta.requestId !== answer.headers.get("x-request-id")) faults.push("two request ids");
  const isOwnStatus = error.code === "PROF006" && [405, 408, 417, 421, 431].includes(answer.status);
  if (errorTable[error.code].http !== answer.status && !isOwnStatus) {
    faults.push(`${error.code} under HTTP ${answer.status}`);
  }
  const isIssue = error.code === "PROF006" && /^(body|query)/.test(kind);
  if (isIssue && !Array.isArray(error.details?.issues)) faults.push("PROF006 without issues");
  return faults;
}

function successFaults(method: string, target: string, json: unknown): string[] {
  const [path = ""] = target.split("?");
  const match = matchEndpoint(method, decodePath(path) ?? []);
  if (match === null || "allow" in match) return ["a success of no endpoint"];
  const { data, meta } = match.endpoint;
  const parsed = envelope(data, meta).safeParse(json);
  return parsed.success ? [] : [`not the data of ${match.endpoint.name}: ${parsed.error.message}`];
}

/** Whether the server still waits for more when all of it has arrived. */
export function isCut({ kind, cut = false }: Draft, bytes: Buffer): boolean {
  return cut || (kind === "bytes" && !bytes.includes("\r\n\r\n"));
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
