"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { pageContext, profileCookie, profileOf } from "@/lib/http/session/page";

const yearSeconds = 365 * 24 * 60 * 60;

/** What a page shows belongs to the profile that was chosen before, so it starts over. */
export async function chooseProfile(form: FormData): Promise<void> {
  const { who } = await pageContext();
  const { did } = await profileOf(who, form.get("profile"));
  (await cookies()).set(profileCookie, did, {
    path: "/",
    sameSite: "lax",
    httpOnly: true,
    maxAge: yearSeconds,
  });
  redirect("/dashboard");
}
