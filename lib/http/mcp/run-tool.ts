import type { ScopeChallenge } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Authenticated } from "@/lib/auth/authenticate";
import type { GatewayError } from "@/lib/protocol/errors";
import { type AdmittedCaller, contextIn, precomputing } from "../precompute";
import { loggedError, outcomeOf } from "../reply";
import type { RequestContext } from "../request-context";
import { admitCall } from "./admit-call";
import { isFirstChallenge } from "./challenges";
import type { Tool, ToolCtx } from "./tools";

/** A request to /mcp whose token was recognised. */
export interface ToolCall {
  message: unknown;
  context: RequestContext;
  by: Authenticated;
  /** The gateway's address as the client calls it. */
  issuer: string;
}

/** What a tool answered; its refusal may be a challenge, or something that the owner was asked. */
export type RanTool = { challenge?: ScopeChallenge } & (
  | { value: object }
  | { error: GatewayError; asks: boolean }
);

/** Runs a tool as an endpoint of the protocol is: admitted by its limit, logged and measured. */
export async function runTool(
  { context, by, issuer }: ToolCall,
  tool: Tool,
  input: z.output<Tool["input"]>,
): Promise<RanTool> {
  const began = performance.now();
  let outcome = "ok";
  try {
    const work = (caller: AdmittedCaller, ctx = contextIn(context, caller)) =>
      tool.run(Object.assign(ctx, { origin: issuer }) as ToolCtx, input);
    const precompute = tool.isReadOnly ? precomputing(context, work) : undefined;
    const { limitClass } = tool;
    const { precomputed, ...admitted } = await admitCall(context, by, { limitClass, precompute });
    return { value: await (precomputed ? precomputed.answer() : work(admitted)) };
  } catch (thrown) {
    outcome = outcomeOf(thrown);
    const error = loggedError(context, thrown);
    const needs = tool.needs(input);
    const could = challengeOf(error, needs);
    const isNew = could !== undefined && isFirstChallenge(context, by, [tool.name, ...needs]);
    const challenge = isNew ? could : undefined;
    return { error, asks: tool.name === "request_access", challenge };
  } finally {
    note(context, { tool, outcome, seconds: (performance.now() - began) / 1_000 });
  }
}

/** Where nothing was given: what the client's owner would have to allow. RFC 6750, 3.1. */
function challengeOf(
  { code, message, details }: GatewayError,
  [first, ...rest]: readonly string[],
): ScopeChallenge | undefined {
  const isAskable = code === "PROF002" || (code === "PROF004" && details?.state !== "denied");
  if (!isAskable || first === undefined) return undefined;
  // The grammar of an error description.
  return {
    scopes: [first, ...rest],
    errorDescription: message.replaceAll(/[^ !#-[\]-~]/g, " "),
  };
}

type Noted = { tool: Tool; outcome: string; seconds: number };

function note({ engine, requestId }: RequestContext, { tool, outcome, seconds }: Noted): void {
  const endpoint = `mcp ${tool.name}`;
  engine.metrics.requestDone({ endpoint, outcome, seconds });
  const durationMs = Math.round(seconds * 1e5) / 100;
  engine.log.info("answered", { requestId, endpoint, code: outcome, durationMs });
}
