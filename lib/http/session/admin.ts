import { notFound } from "next/navigation";
import type { z } from "zod";
import { GatewayError } from "@/lib/protocol/errors";
import { mayAdminister } from "@/lib/rules/may";
import type { SessionUser } from "@/lib/services/accounts/sessions";
import type { Ctx } from "@/lib/services/context";
import { type Action, action, type Handler } from "./action";
import { pageContext } from "./page";

/**
 * Returns the context of an admin page. Every page calls it, because a layout does not run again on navigation.
 * Others get 404.
 */
export async function adminContext(): Promise<{ ctx: Ctx; who: SessionUser }> {
  const { ctx, who } = await pageContext();
  if (!mayAdminister(ctx.caller).allowed) notFound();
  return { ctx, who };
}

/** An action for admins; its verb checks the role again. */
export function adminAction<S extends z.ZodType, Shown = unknown>(
  schema: S,
  handler: Handler<{ ctx: Ctx; who: SessionUser; input: z.output<S> }, Shown>,
): Action<Shown> {
  return action(schema, async (query) => {
    if (!mayAdminister(query.ctx.caller).allowed) notFound();
    return handler(query);
  });
}

/** Turns "not found" into the 404 page, also for malformed ids. */
export async function orNoPage<T>(found: Promise<T>): Promise<T> {
  return found.catch((error: unknown) => {
    if (error instanceof GatewayError && error.code === "PROF003") notFound();
    throw error;
  });
}

/** Decodes the DID in an address. */
export function didInPath(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    notFound();
  }
}
