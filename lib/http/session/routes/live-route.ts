import { requestCtx } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { unavailable } from "@/lib/protocol/errors";
import { callerOf, isSessionLive } from "@/lib/services/accounts/sessions";
import { hasNews } from "@/lib/services/overview";
import { answer } from "../../reply";
import { createSlots } from "../files/slots";
import { ownProfileOf } from "../own-profile";
import { openLiveStream } from "./live-stream";

const takeSlot = createSlots({ all: 1_000, perUser: 20 });
const retryAfterSeconds = 30;

const headers = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "private, no-store, no-transform",
  "X-Accel-Buffering": "no",
};

/**
 * Server-sent events for one profile of the signed-in user. They say that something changed and
 * never what: the page asks again, through the same checks as ever.
 */
export function liveRoute(request: Request): Promise<Response> {
  return answer(request, async () => {
    const { who, profile, query } = await ownProfileOf(request);
    // Next.js sends HEAD here too, and would neither read the stream nor cancel it.
    if (request.method === "HEAD") return new Response(null, { headers });
    const closed = takeSlot(who.userId);
    if (closed === null) throw unavailable(new Error("too many open pages"), retryAfterSeconds);
    const since = new Date(query.get("since") ?? Number.NaN);
    const ctx = requestCtx(callerOf(who));
    const { sessionId } = who;
    const profileId = profile.id;
    const body = openLiveStream({
      follow: engine().live.follow,
      profileId,
      signal: request.signal,
      isBehind: async () =>
        !Number.isNaN(since.getTime()) && (await hasNews(ctx, { profileId, since })),
      isLive: () => isSessionLive(requestCtx(), { sessionId, profileId }),
      closed,
    });
    return new Response(body, { headers });
  });
}
