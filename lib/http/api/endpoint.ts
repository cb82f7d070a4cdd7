import { z } from "zod";
import { Empty, limit, single } from "@/lib/protocol/requests";
import type { SessionUser } from "@/lib/services/accounts/sessions";
import type { Ctx } from "@/lib/services/context";
import type { Sendable } from "../sendable";
import { Cursor } from "../session/address/cursor";
import { type ParamsOf, paramsIn } from "./params";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Path = `/api/${"profiles" | "session" | "admin"}${string}`;

/** Input and output of an endpoint, besides the parameters of its path. */
interface Contract {
  summary: string;
  query?: z.ZodObject;
  /** Strict where it grants something: a misspelt restriction must not be ignored. Protocol 8. */
  body?: z.ZodType;
  data: z.ZodType;
  meta?: z.ZodObject;
  /** The status of a successful answer. */
  status?: 200 | 201;
}

interface Call {
  request: Request;
  ctx: Ctx;
  who: SessionUser;
  /** The network address that the request came from. */
  peer: string | null;
  /** Where the dashboard is, for links in an answer. */
  origin: string;
  params: object;
  query: object;
  body: unknown;
}

interface CallOf<P extends string, C extends Contract> extends Call {
  params: z.output<ParamsOf<P>>;
  query: C["query"] extends z.ZodObject ? z.output<C["query"]> : object;
  body: C["body"] extends z.ZodType ? z.output<C["body"]> : undefined;
}

interface Answer<C extends Contract> {
  data: Sendable<z.output<C["data"]>>;
  meta?: C["meta"] extends z.ZodObject ? Sendable<z.output<C["meta"]>> : object;
  headers?: Record<string, string>;
}

/** One endpoint for scripts of signed-in users. Not part of the protocol. */
export interface ApiEndpoint {
  method: Method;
  path: Path;
  summary: string;
  params: z.ZodObject;
  query: z.ZodObject;
  body: z.ZodType | null;
  data: z.ZodType;
  meta: z.ZodObject;
  status: 200 | 201;
  answer(call: Call): Promise<Answer<Contract> | Response>;
}

interface Row<M, P extends Path, C extends Contract> extends ApiEndpoint {
  method: M & Method;
  path: P;
  params: ParamsOf<P>;
  query: C["query"] extends z.ZodObject ? C["query"] : typeof Empty;
  body: C["body"] extends z.ZodType ? C["body"] : null;
  data: C["data"];
  meta: C["meta"] extends z.ZodObject ? C["meta"] : typeof Empty;
}

/** Returns a row with its handler. The types of the parameters come from the path. */
export function endpoint<M extends Method, P extends Path, C extends Contract>(
  at: `${M} ${P}`,
  contract: C,
  answer: (call: CallOf<P, C>) => Promise<Answer<C> | Response>,
) {
  const [method, path] = at.split(" ");
  const usual = { query: Empty, body: null, meta: Empty, status: 200 };
  return { ...usual, method, path, params: paramsIn(at), ...contract, answer } as unknown as Row<
    M,
    P,
    C
  >;
}

/** Query of every list that is read page by page. */
export const PageQuery = z.object({
  limit: limit(50),
  cursor: single()
    .pipe(Cursor)
    .optional()
    .describe("`meta.next` of the page before; without it, the first page."),
});

export const NextMeta = z.object({
  count: z.int().describe("How many items this page holds."),
  next: z.string().nullable().describe("The cursor of the next page; null on the last one."),
});
