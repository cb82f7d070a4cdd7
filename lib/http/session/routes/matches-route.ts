import { requestCtx } from "@/lib/auth/session";
import { invalidRequest } from "@/lib/protocol/errors";
import { callerOf } from "@/lib/services/accounts/sessions";
import { comparedMax, findResembling, type Resemblance } from "@/lib/services/proposals/resembling";
import { answer } from "../../reply";
import { admitPerson } from "../admit-person";
import { ownProfileOf } from "../own-profile";

/** Returns what a few proposals resemble, for cards further down an open page. */
export function matchesRoute(
  request: Request,
  view: (resemblance: Resemblance) => unknown,
): Promise<Response> {
  return answer(request, async (context) => {
    const { who, profile, query } = await ownProfileOf(request);
    await admitPerson(context, who.userId);
    const proposalIds = query.getAll("id");
    if (proposalIds.length === 0 || proposalIds.length > comparedMax) {
      throw invalidRequest([{ path: "query.id", message: `Name 1 to ${comparedMax} proposals.` }]);
    }
    const ctx = requestCtx(callerOf(who));
    const found = await findResembling(ctx, { did: profile.did, proposalIds });
    return { data: Object.fromEntries(Array.from(found, ([id, one]) => [id, view(one)])) };
  });
}
