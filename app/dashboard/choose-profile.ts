"use server";

import { redirect } from "next/navigation";
import { asFormData } from "@/lib/http/session/action";
import { pageContext, profileCookie } from "@/lib/http/session/page";
import { rememberChoice } from "@/lib/http/session/remember-choice";

/** Starts over after a change of profile: the page's content belongs to the former one. */
export async function chooseProfile(form: FormData): Promise<void> {
  const { who } = await pageContext();
  const named = asFormData(form).get("profile");
  // Other users' profiles cannot be chosen.
  const own = who.profiles.find(({ did }) => did === named);
  if (own !== undefined) await rememberChoice(profileCookie, own.did);
  redirect("/dashboard");
}
