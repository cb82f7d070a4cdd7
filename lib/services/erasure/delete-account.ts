import { forbidden } from "@/lib/protocol/errors";
import { isLastAdmin } from "../accounts/admins";
import { recordAdmin } from "../audit/record";
import { withAuthority } from "../authority";
import type { Ctx } from "../context";
import { afterErasing, eraseAccount } from "./erase-account";
import { eraseProfilesOf } from "./erase-profiles-of";

/** Erases the caller's account, with everything that is theirs, within this request. */
export async function deleteAccount(ctx: Ctx): Promise<void> {
  const { caller } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId } = caller;
  const demands = { users: [userId], lasting: true };
  const before = await eraseProfilesOf(ctx, userId, (work) => withAuthority(ctx, demands, work));
  const profiles = await withAuthority(ctx, { ...demands, admins: true }, async (client) => {
    if (await isLastAdmin(client, userId)) {
      throw forbidden("You are the last admin. Make somebody else an admin first.");
    }
    const erased = await eraseAccount(client, { ctx, userId });
    const after = afterErasing(erased, before);
    await recordAdmin(client, { ctx, event: { verb: "deleteAccount", subjectId: userId, after } });
    return erased.profiles;
  });
  for (const { id } of profiles) ctx.announce(id);
}
