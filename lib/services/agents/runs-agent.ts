import type { Tx } from "@/lib/engine/db";
import type { Did } from "@/lib/protocol/did";
import { forbidden, notFound } from "@/lib/protocol/errors";
import { type Caller, mayAdminister } from "@/lib/rules/may";

interface Running {
  caller: Caller;
  did: Did;
}

/**
 * Throws unless the person runs this agent: they registered it themselves, or are an admin. Returns whether it is their
 * own; one that an admin registered is no admin's own.
 */
export async function demandRunsAgent(
  db: Pick<Tx, "agent">,
  { caller, did }: Running,
): Promise<{ isOwn: boolean }> {
  if (caller.kind !== "person") throw forbidden();
  const agent = await db.agent.findUnique({
    where: { did },
    select: { registeredBy: true, origin: true },
  });
  const isOwn = agent?.registeredBy === caller.userId && agent.origin === "user";
  if (!isOwn && !mayAdminister(caller).allowed) throw forbidden();
  if (agent === null) throw notFound("agent");
  return { isOwn };
}
