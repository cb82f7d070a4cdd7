import type { Tx } from "@/lib/engine/db";
import type { Did } from "@/lib/protocol/did";
import { forbidden } from "@/lib/protocol/errors";
import { demandRunsAgent } from "../agents/runs-agent";
import { recordAdmin } from "../audit/record";
import { demandConfirmed, withAuthority } from "../authority";
import type { Ctx } from "../context";

interface Change {
  /** Of the event in the admins' log; what only sends has none. */
  verb?: string;
  did: Did;
  /** It changes where messages go, or shows a secret. */
  lasting?: boolean;
}

/** Changes the webhook of an agent, for the agent itself, for the user who registered it, and for admins. */
export async function changeWebhook<T>(
  ctx: Ctx,
  { verb, did, lasting = false }: Change,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  refuseOtherAgents(ctx, did);
  const recorded = async (tx: Tx) => {
    if (verb !== undefined) await recordAdmin(tx, { ctx, event: { verb, subjectId: did } });
    return work(tx);
  };
  if (ctx.caller.kind === "agent") return withAuthority(ctx, {}, recorded);
  return withAuthority(ctx, { agents: [did], lasting }, async (tx, caller) => {
    const { isOwn } = await demandRunsAgent(tx, { caller, did });
    if (!isOwn) await demandConfirmed(tx, ctx);
    return recorded(tx);
  });
}

/** The first line of every verb that only reads. */
export async function demandWebhookReader(ctx: Ctx, did: Did): Promise<void> {
  refuseOtherAgents(ctx, did);
  if (ctx.caller.kind !== "agent") await demandRunsAgent(ctx.db, { caller: ctx.caller, did });
}

function refuseOtherAgents(ctx: Ctx, did: Did): void {
  if (ctx.caller.kind !== "person" && callingAgent(ctx) !== did) throw forbidden();
}

/** Returns the agent that signed a request for its own webhook. */
export function callingAgent({ caller }: Pick<Ctx, "caller">): Did {
  if (caller.kind === "agent") return caller.did;
  throw forbidden("An agent has a webhook of its own, and signs its requests for it.");
}
