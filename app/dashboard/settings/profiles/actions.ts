"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { engine } from "@/lib/engine/engine";
import { action } from "@/lib/http/session/action";
import { profileCookie } from "@/lib/http/session/page";
import { rememberChoice } from "@/lib/http/session/remember-choice";
import { addProfile } from "@/lib/services/accounts/new-profile";
import { NewProfileForm } from "./schemas";

/** The new one is the chosen one: what comes next is to fill it. */
export const addProfileAction = action(NewProfileForm, async ({ ctx, input }) => {
  const did = await addProfile(ctx, {
    ...input,
    namespace: engine().settings.values().PROF_NAMESPACE,
  });
  await rememberChoice(profileCookie, did);
  revalidatePath("/dashboard", "layout");
  redirect("/dashboard/settings");
});
