import { everyAgent } from "@/lib/rules/facts";
import type { Ctx } from "../../context";
import { changeProfile, withProfile } from "../../profile-gate";
import { denyAll, findDenial } from "./deny-all";

/** Denies everything to every agent by one rule: removing it, if it is new, brings back all as it was. */
export async function switchEverythingOff(
  ctx: Ctx,
  did: string,
): Promise<{ policyId: string; isNew: boolean }> {
  return changeProfile(ctx, { verb: "editPolicies", did }, async (open) => {
    const { tx, profile } = open;
    const input = { profileId: profile.id, now: ctx.now, agentPattern: everyAgent };
    const denial = await denyAll(tx, input);
    if (denial.isNew) {
      await open.record({ subjectId: denial.policyId, detail: { everythingOff: true } });
    }
    return denial;
  });
}

/** Returns the id of the rule that keeps everything off; null while agents are let in. */
export async function findEverythingOff(ctx: Ctx, did: string): Promise<string | null> {
  return withProfile(ctx, { verb: "readActivity", did }, ({ profile }) =>
    findDenial(ctx.db, { profileId: profile.id, agentPattern: everyAgent }),
  );
}
