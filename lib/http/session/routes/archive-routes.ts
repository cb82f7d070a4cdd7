import { currentUser, requestCtx, userOfCookies } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { parseDid } from "@/lib/protocol/did";
import { notFound, unauthorized } from "@/lib/protocol/errors";
import { callerOf, type SessionUser } from "@/lib/services/accounts/sessions";
import { exportProfile } from "@/lib/services/archive/export";
import { importProfile } from "@/lib/services/archive/import";
import { answer } from "../../reply";
import { clockOf } from "../../request-context";
import { admitPerson } from "../admit-person";
import { confirmWith, demandConfirmed, orConfirmPage } from "../confirm";
import { sendFile } from "../files/own-file";
import { profileOf } from "../page";
import { refuseOtherSites } from "../same-origin";
import { answerOnPage } from "./answer-on-page";
import { withImport } from "./import-form";
import { archives } from "./read-import";

// A profile as a file, out and in. Not server actions: what goes through those is small.

export function exportRoute(request: Request): Promise<Response> {
  return answer(request, async (context) => {
    refuseOtherSites(request, engine().env);
    const { ctx, who } = signedIn(await currentUser());
    await admitPerson(context, who.userId);
    const { did } = await profileOf(who, new URL(request.url).searchParams.get("profile"));
    const day = ctx.now.toISOString().slice(0, 10);
    return orConfirmPage({ request, back: page }, () =>
      sendFile(request, {
        userId: who.userId,
        name: `profile-${parseDid(did)?.name}-${day}.json`,
        type: "application/json; charset=utf-8",
        open: () => exportProfile(ctx, { did }),
      }),
    );
  });
}

const page = "/dashboard/settings/export";

/** From a form, with or without scripts: the answer is always the page it came from. */
export function importRoute(request: Request): Promise<Response> {
  return answerOnPage(request, page, async (context) => {
    const { userId } = signedIn(await currentUser()).who;
    await admitPerson(context, userId);
    const { memories } = await withImport(
      { request, userId, kind: archives },
      async ({ profile, password, ...importing }, signal) => {
        // The file may have taken its time; what is decided is decided now. `currentUser` remembers who it was.
        Object.assign(context, clockOf(context.engine, context.peer));
        const signed = signedIn(await userOfCookies(request.headers.get("cookie")));
        const { ctx, who } = (await confirmWith(signed, password)) ?? signed;
        await demandConfirmed(ctx);
        const { did } = await profileOf(who, profile);
        return importProfile(ctx, { did, ...importing, signal });
      },
    );
    return `Imported, with ${memories} memories.`;
  });
}

/** Throws where nobody is signed in, or has no profile. */
export function signedIn(who: SessionUser | null) {
  if (who === null) throw unauthorized();
  // A page would send them where that is explained; here it would pass for a failure of ours.
  if (who.profiles.length === 0) throw notFound("profile");
  return { who, ctx: requestCtx(callerOf(who)) };
}
