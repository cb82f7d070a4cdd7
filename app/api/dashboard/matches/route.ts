import { matchViews } from "@/app/dashboard/proposals/matches/match-view";
import { matchesRoute } from "@/lib/http/session/routes/matches-route";

/** For the inbox itself: asked as its cards come near. */
export function GET(request: Request): Promise<Response> {
  return matchesRoute(request, matchViews);
}
