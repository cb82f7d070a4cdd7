import { everyAgent } from "@/lib/rules/facts";
import type { Ctx } from "../../context";
import { changeProfile, withProfile } from "../../profile-gate";
import { denyAll, findDenial } from "./deny-all";

/** Denies everything to every agent by one rule, and returns its id: removing it brings back all as it was. */
export async function switchEverythingOff(ctx: Ctx, did: string): Promise<string> {
  return changeProfile(ctx, { verb: "editPolicies", did }, async (open) => {
    const { tx, profile } = open;
    const input = { profileId: profile.id, now: ctx.now, agentPattern: everyAgent };
    const { policyId } = await denyAll(tx, input);
    await open.record({ subjectId: policyId, detail: { everythingOff: true } });
    return policyId;
  });
}

/** Returns the id of the rule that keeps everything off; null while agents are let in. */
export async function findEverythingOff(ctx: Ctx, did: string): Promise<string | null> {
  return withProfile(ctx, { verb: "readActivity", did }, ({ profile }) =>
    findDenial(ctx.db, { profileId: profile.id, agentPattern: everyAgent }),
  );
}
