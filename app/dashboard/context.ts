import { cache } from "react";
import { chosenProfile, pageContext } from "@/lib/http/session/page";
import { visit } from "@/lib/services/activity/visit";
import { countForNavigation } from "@/lib/services/overview";

/** The chosen profile, once a request, with the visit recorded; what is counted is null where none is open. */
export const dashboardContext = cache(async () => {
  const { ctx, who } = await pageContext();
  const profile = await chosenProfile(who);
  if (profile?.state !== "active") return { ctx, who, profile, counts: null, since: null };
  const [counts, since] = await Promise.all([
    countForNavigation(ctx, profile.id),
    visit(ctx, profile.did),
  ]);
  return { ctx, who, profile, counts, since };
});
