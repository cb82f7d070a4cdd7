import { confirmByPassword } from "@/lib/auth/confirm";
import { setCookie } from "@/lib/auth/session";
import { refusals } from "@/lib/http/session/confirm";
import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { invalidRequest, signInFirst, tooManyTries } from "@/lib/protocol/errors";

export const POST = sessionRoute(
  sessionEndpoints.confirmSession,
  async ({ ctx, who, peer, body: { password } }) => {
    const confirmed = await confirmByPassword(ctx, { who, password, peer });
    if (confirmed.outcome === "confirmed") {
      const { session } = confirmed;
      const data = { confirmedUntil: session.confirmedUntil };
      return { data, headers: { "Set-Cookie": setCookie(session) } };
    }
    if (confirmed.outcome === "wrong") {
      throw invalidRequest([{ path: "body.password", message: refusals.wrong }]);
    }
    if (confirmed.outcome === "ended") throw signInFirst();
    throw tooManyTries({ resetAt: confirmed.until, now: ctx.now });
  },
);
