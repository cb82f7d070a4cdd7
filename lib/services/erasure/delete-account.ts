import { inTransaction } from "@/lib/engine/db";
import { forbidden } from "@/lib/protocol/errors";
import { isLastAdmin, lockAdmins } from "../accounts/admins";
import { recordAdmin } from "../audit/record";
import type { Ctx } from "../context";
import { tombstoneOf } from "./delete-profile";
import { eraseAccount } from "./erase-account";

/** Of whoever is signed in, with everything that is theirs, within this request. */
export async function deleteAccount(ctx: Ctx): Promise<void> {
  const { caller, pool, now } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId } = caller;
  const profiles = await inTransaction(pool, async (client) => {
    await lockAdmins(client);
    if (await isLastAdmin(client, userId)) {
      throw forbidden("You are the last admin. Make somebody else an admin first.");
    }
    const erased = await eraseAccount(client, { userId, now });
    const after = { profiles: erased.map(({ did }) => tombstoneOf(did)) };
    await recordAdmin(client, { ctx, event: { verb: "deleteAccount", subjectId: userId, after } });
    return erased;
  });
  for (const { id } of profiles) ctx.announce(id);
}
