import type { Ctx } from "../context";
import { named, type PolicyLine } from "../overview";
import { withProfile } from "../profile-gate";
import type { ActivityEvent } from "./activity-event";

/** Returns the policies behind events as they are now; deleted ones are missing. */
export async function namedPolicies(
  ctx: Ctx,
  { did, events }: { did: string; events: readonly ActivityEvent[] },
): Promise<Map<string, PolicyLine>> {
  const deciding = events.flatMap(({ reasons }) =>
    Object.values(reasons).map((one) => one.policyId),
  );
  const ids = [...new Set(deciding.filter((id) => id !== null))];
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const policies = await ctx.db.policy.findMany({
      where: { profileId: profile.id, id: { in: ids } },
    });
    return new Map((await named(ctx, policies)).map((policy) => [policy.id, policy]));
  });
}
