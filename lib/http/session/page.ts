import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { currentUser, requestCtx } from "@/lib/auth/session";
import { notFound } from "@/lib/protocol/errors";
import { callerOf, type SessionUser } from "@/lib/services/accounts/sessions";
import type { Ctx } from "@/lib/services/context";

export type OwnProfile = SessionUser["profiles"][number];

/** Which of several profiles this browser last chose: its DID. */
export const profileCookie = "gateway-profile";

/** Returns the context of a page for signed-in users; others are sent to sign in. */
export async function pageContext(): Promise<{ ctx: Ctx; who: SessionUser }> {
  const who = await currentUser();
  if (who === null) redirect("/sign-in");
  return { ctx: requestCtx(callerOf(who)), who };
}

/** Returns the context of a page for the chosen profile. */
export async function profileContext(): Promise<{
  ctx: Ctx;
  who: SessionUser;
  profile: OwnProfile;
}> {
  const { ctx, who } = await pageContext();
  const profile = await profileOf(who, null);
  if (profile.state === "suspended") redirect("/dashboard/suspended");
  return { ctx, who, profile };
}

/** The one that a form names, and that must be theirs; else the chosen one, else their first. */
export async function profileOf(who: SessionUser, named: unknown): Promise<OwnProfile> {
  if (named !== null) {
    const own = who.profiles.find(({ did }) => did === named);
    if (own === undefined) throw notFound("profile");
    return own;
  }
  const chosen = await chosenProfile(who);
  // An account without a profile lands where that is explained.
  if (chosen === null) redirect("/dashboard");
  return chosen;
}

export async function chosenProfile({ profiles }: SessionUser): Promise<OwnProfile | null> {
  const chosen = (await cookies()).get(profileCookie)?.value;
  return profiles.find(({ did }) => did === chosen) ?? profiles[0] ?? null;
}
