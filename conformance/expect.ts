import type { Data, Endpoint, EndpointMeta } from "@/lib/protocol/endpoints";
import { type ErrorCode, errorTable } from "@/lib/protocol/errors";
import { ErrorBody, envelope, type Meta } from "@/lib/protocol/resources";
import { Finding } from "./check";
import type { Reply } from "./kit";

/** The claim holds, or this is the finding. */
export function claim(holds: boolean, otherwise: string, reply?: Reply): asserts holds {
  if (!holds)
    throw new Finding(reply === undefined ? otherwise : `${otherwise}: ${excerpt(reply)}`);
}

type Succeeded<E extends Endpoint> = { data: Data<E>; meta: Meta & EndpointMeta<E> };

/** A success of this endpoint, in the shape that the specification gives it. */
export function succeeded<E extends Endpoint>(
  reply: Reply,
  endpoint: E,
  status?: number,
): Succeeded<E> {
  const right = status === undefined ? reply.status in endpoint.statuses : reply.status === status;
  claim(right, `not answered with HTTP ${status ?? Object.keys(endpoint.statuses)}`, reply);
  const answer = envelope(endpoint.data, endpoint.meta).safeParse(reply.json);
  if (!answer.success) {
    const { path, message } = answer.error.issues[0] ?? { path: [], message: "" };
    throw new Finding(`${path.join(".")}: ${message}: ${excerpt(reply)}`);
  }
  const { data, meta } = answer.data;
  return { data, meta } as Succeeded<E>;
}

export type Refusal = ErrorBody["error"];

/** A refusal with this code, under the HTTP status of the specification's table. */
export function refused(reply: Reply, code: ErrorCode, http?: number): Refusal {
  const status = http ?? errorTable[code].http;
  const body = ErrorBody.safeParse(reply.json).data;
  claim(
    reply.status === status && body?.error.code === code,
    `not refused with ${status} ${code}`,
    reply,
  );
  return body.error;
}

/** 400 PROF006 with a list of issues, one of which points at this member. */
export function faulted(reply: Reply, member?: string): Refusal {
  const error = refused(reply, "PROF006");
  const issues = error.details?.issues;
  claim(
    Array.isArray(issues) && issues.length > 0,
    "details.issues does not list what is wrong",
    reply,
  );
  const named = member === undefined || issues.some((issue) => pathOf(issue).includes(member));
  claim(named, `no issue names ${member}`, reply);
  return error;
}

/** Got past every check of the request itself: whatever follows is about who may do what. */
export function understood(reply: Reply): void {
  const codes: readonly unknown[] = ["PROF002", "PROF003", "PROF004"];
  const code = ErrorBody.safeParse(reply.json).data?.error.code;
  const past = reply.status < 300 ? code === undefined : codes.includes(code);
  claim(past, "the request was not understood", reply);
}

export function excerpt({ method, target, status, text }: Reply): string {
  return `${method} ${shortened(target, 120)} → HTTP ${status} ${shortened(text, 240)}`;
}

function pathOf(issue: unknown): string {
  const isIssue = typeof issue === "object" && issue !== null && "path" in issue;
  return isIssue ? String(issue.path) : "";
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
