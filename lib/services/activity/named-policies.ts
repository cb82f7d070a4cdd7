import { Prisma } from "@/lib/engine/prisma-client/client";
import { loadPolicyLines, type PolicyLine } from "../access/policy-lines";
import type { Ctx } from "../context";
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
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile: { id } }) => {
    const where = Prisma.sql`p.id = ANY (${ids}::text[])`;
    const policies = await loadPolicyLines(ctx, { profileId: id, where });
    return new Map(policies.map((policy) => [policy.id, policy]));
  });
}
