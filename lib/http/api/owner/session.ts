import { z } from "zod";
import { confirmByPassword } from "@/lib/auth/confirm";
import { setCookie } from "@/lib/auth/session";
import { invalidRequest, signInFirst, tooManyTries } from "@/lib/protocol/errors";
import { Timestamp } from "@/lib/protocol/resources";
import { refusals } from "../../session/confirm";
import { endpoint } from "../endpoint";

export const confirmingEndpoints = {
  confirmSession: endpoint(
    "POST /api/session/confirm",
    {
      summary:
        "Confirm that it is you, for ten minutes of changes that last. The answer sets a new session cookie; the one before it ends.",
      body: z
        .object({
          password: z.string().min(1).max(1_000).describe("Yours; it is counted like a sign-in."),
        })
        .meta({ examples: [{ password: "a quiet lamp over the harbour" }] }),
      data: z.object({
        confirmedUntil: Timestamp.describe("Until then this session may make changes that last."),
      }),
    },
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
  ),
};
