import { forbidden } from "@/lib/protocol/errors";
import { isLastAdmin } from "../accounts/admins";
import { recordAdmin } from "../audit/record";
import { withAuthority } from "../authority";
import type { Ctx } from "../context";
import { afterErasing, eraseAccount } from "./erase-account";

/** Of whoever is signed in, with everything that is theirs, within this request. */
export async function deleteAccount(ctx: Ctx): Promise<void> {
  const { caller } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId } = caller;
  const demands = { admins: true, users: [userId], lasting: true };
  const profiles = await withAuthority(ctx, demands, async (client) => {
    if (await isLastAdmin(client, userId)) {
      throw forbidden("You are the last admin. Make somebody else an admin first.");
    }
    const erased = await eraseAccount(client, { ctx, userId });
    const after = afterErasing(erased);
    await recordAdmin(client, { ctx, event: { verb: "deleteAccount", subjectId: userId, after } });
    return erased.profiles;
  });
  for (const { id } of profiles) ctx.announce(id);
}
