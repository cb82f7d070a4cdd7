import { cookies } from "next/headers";
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
import { confirmField } from "../confirm-field";
import { sendFile } from "../files/own-file";
import { profileOf } from "../page";
import { refuseOtherSites } from "../same-origin";
import { withImport } from "./import-form";

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

/** Tells the page that the form was on what became of it, once. */
export const importedCookie = "gateway-imported";
const tellingSeconds = 30;
const page = "/dashboard/settings/export";

/** From a form, with or without scripts: the answer is always the page it came from. */
export async function importRoute(request: Request): Promise<Response> {
  const answered = await answer(request, async (context) => {
    refuseOtherSites(request, engine().env);
    const { userId } = signedIn(await currentUser()).who;
    await admitPerson(context, userId);
    const { memories } = await withImport(
      { request, userId },
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
    return { data: { ok: true, message: `Imported, with ${memories} memories.` } };
  });
  const { data, error } = await answered.json();
  const message: string = data?.message ?? wordsOf(error);
  (await cookies()).set(
    importedCookie,
    JSON.stringify({ ok: error === undefined, message: message.slice(0, 1_000) }),
    { path: page, httpOnly: true, sameSite: "lax", maxAge: tellingSeconds },
  );
  return new Response(null, {
    status: 303,
    headers: { Location: page, "Cache-Control": "no-store" },
  });
}

// The browser has forgotten the file by then.
const chooseAgain = "choose the file again, and import.";

function wordsOf(error: {
  message: string;
  details?: { confirm?: boolean; issues?: { path: string; message: string }[] };
}) {
  if (error.details?.confirm) return `Enter your password or sign in again, ${chooseAgain}`;
  const [first] = error.details?.issues ?? [];
  if (first === undefined) return error.message;
  // No field's name, but a sentence of its own.
  if (first.path === confirmField) return `${first.message} Enter your password, ${chooseAgain}`;
  return `${first.path}: ${first.message}`;
}

function signedIn(who: SessionUser | null) {
  if (who === null) throw unauthorized();
  // A page would send them where that is explained; here it would pass for a failure of ours.
  if (who.profiles.length === 0) throw notFound("profile");
  return { who, ctx: requestCtx(callerOf(who)) };
}
