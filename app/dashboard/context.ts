import { cache } from "react";
import { chosenProfile, pageContext } from "@/lib/http/session/page";
import type { Ctx } from "@/lib/services/context";
import { countMemories, countWaiting, type Waiting } from "@/lib/services/overview";

/** The chosen profile, once a request; counts are null where none is open. */
export const dashboardContext = cache(async () => {
  const { ctx, who } = await pageContext();
  const profile = await chosenProfile(who);
  const counts = profile?.state === "active" ? await countsOf(ctx, profile.id) : null;
  return { ctx, who, profile, counts };
});

export type Counts = Waiting & { memories: number };

async function countsOf(ctx: Ctx, profileId: number): Promise<Counts> {
  const [waiting, memories] = await Promise.all([
    countWaiting(ctx, profileId),
    countMemories(ctx, profileId),
  ]);
  return { ...waiting, memories };
}
