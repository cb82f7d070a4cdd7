import { revalidatePath } from "next/cache";
import { notFound } from "next/navigation";
import { cache } from "react";
import { z } from "zod";
import { GatewayError, invalidRequest } from "@/lib/protocol/errors";
import { mayAdminister } from "@/lib/rules/may";
import type { SessionUser } from "@/lib/services/accounts/sessions";
import type { Ctx } from "@/lib/services/context";
import { type Action, action, asFormData, type Handler, type Outcome } from "./action";
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

/** Finds what a page is about, once for its title and the page; null where there is no such thing. */
export function adminFinds<Thing>(find: (ctx: Ctx, id: string) => Promise<Thing>) {
  return cache(async (segment: string) => {
    const { ctx, who } = await adminContext();
    const found = await find(ctx, decoded(segment)).catch((error: unknown) => {
      if (error instanceof GatewayError && error.code === "PROF003") return null;
      throw error;
    });
    return { ctx, who, found };
  });
}

// What cannot be decoded names nothing.
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

type Act = Action<unknown>;

/** One act of an admin: its form, its work and the sentence that reports it, if the work returns none. */
export function act<S extends z.ZodType>(
  schema: S,
  work: (ctx: Ctx, input: z.output<S>) => Promise<Partial<Outcome>> | Promise<void>,
  message = "",
): Act {
  return adminAction(schema, async ({ ctx, input }) => {
    // First, because work that ends on another page does not return.
    revalidatePath("/admin", "layout");
    return { ok: true, message, ...(await work(ctx, input)) };
  });
}

/** One server action for all acts on one kind of thing: the field `intent` names the act. */
export function adminActs(acts: Record<string, Act>): Act {
  const byIntent = new Map<unknown, Act>(Object.entries(acts));
  return async (state, sent) => {
    await adminContext();
    const chosen = byIntent.get(asFormData(sent).get("intent"));
    if (chosen === undefined) notFound();
    return chosen(state, sent);
  };
}

/** What must be typed before something is deleted. */
export const Typed = z.string().trim().max(300);

export function demandTyped(typed: string, expected: string): void {
  if (typed === expected) return;
  throw invalidRequest([{ path: "typed", message: `Type ${expected} to confirm.` }]);
}
