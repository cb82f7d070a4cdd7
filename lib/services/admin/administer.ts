import type { Tx } from "@/lib/engine/db";
import { forbidden } from "@/lib/protocol/errors";
import { mayAdminister } from "@/lib/rules/may";
import { type AdminEventDraft, recordAdmin } from "../audit/record";
import { type Demands, withAuthority } from "../authority";
import type { Ctx } from "../context";

export interface Administering {
  tx: Tx;
  /** Records an event in the transaction of the change. Returns its id. */
  record: (event: AdminEventDraft) => Promise<string>;
}

/** The first line of every verb that only reads. */
export function refuseOthers({ caller }: Pick<Ctx, "caller">): void {
  const permit = mayAdminister(caller);
  if (!permit.allowed) throw forbidden(permit.message);
}

/**
 * Runs a change by an admin. It affects others, so the session must be confirmed. The role is read in the
 * transaction; the caller's is checked before as well, because only admins may take these locks.
 */
export async function administer<T>(
  ctx: Ctx,
  demands: Omit<Demands, "lasting">,
  work: (administering: Administering) => Promise<T>,
): Promise<T> {
  refuseOthers(ctx);
  return withAuthority(ctx, { ...demands, lasting: true }, async (tx, caller) => {
    refuseOthers({ caller });
    return work({ tx, record: (event) => recordAdmin(tx, { ctx, event }) });
  });
}
