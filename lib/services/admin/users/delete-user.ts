import type { Ctx } from "../../context";
import { afterErasing, eraseAccount } from "../../erasure/erase-account";
import { eraseProfilesOf } from "../../erasure/erase-profiles-of";
import { administer } from "../administer";
import { loadUser, refuseLast } from "./change-user";

/** Erases a user as they could themselves: only hashes remain of the person and their profiles. */
export async function deleteUser(ctx: Ctx, userId: string): Promise<void> {
  const demands = { users: [userId] };
  const before = await eraseProfilesOf(ctx, userId, (work) =>
    administer(ctx, demands, ({ tx }) => work(tx)),
  );
  const deleting = { ...demands, admins: true };
  const profiles = await administer(ctx, deleting, async ({ tx, record }) => {
    const { role, state } = await loadUser(tx, userId);
    await refuseLast(tx, userId);
    const erased = await eraseAccount(tx, { ctx, userId });
    const after = afterErasing(erased, before);
    await record({ verb: "deleteUser", subjectId: userId, before: { role, state }, after });
    return erased.profiles;
  });
  for (const { id } of profiles) ctx.announce(id);
}
