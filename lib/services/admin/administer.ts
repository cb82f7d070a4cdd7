import type { Tx } from "@/lib/engine/db";
import { forbidden } from "@/lib/protocol/errors";
import { mayAdminister } from "@/lib/rules/may";
import { type AdminEventDraft, recordAdmin } from "../audit/record";
import { type Demands, withAuthority } from "../authority";
import type { Ctx } from "../context";

export interface Administering {
  tx: Tx;
  /** Records what was done, in the transaction that does it. Returns the event's id. */
  record: (event: AdminEventDraft) => Promise<string>;
}

/** The first line of every verb that only reads. */
export function refuseOthers({ caller }: Pick<Ctx, "caller">): void {
  const permit = mayAdminister(caller);
  if (!permit.allowed) throw forbidden(permit.message);
}

/**
 * The first line of every verb of an admin's that changes something: it reaches other people, so the person must
 * have confirmed the session. The role that counts is the one that the transaction reads. The caller's is checked
 * before as well: only admins may lock what they name.
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
