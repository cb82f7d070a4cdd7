import { likenessOf } from "@/app/dashboard/proposals/matches/likeness";
import { matchesRoute } from "@/lib/http/session/routes/matches-route";

/** For the inbox itself: asked as its cards come near. */
export function GET(request: Request): Promise<Response> {
  return matchesRoute(request, likenessOf);
}
