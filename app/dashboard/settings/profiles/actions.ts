"use server";

import { revalidatePath } from "next/cache";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { engine } from "@/lib/engine/engine";
import { action } from "@/lib/http/session/action";
import { profileCookie } from "@/lib/http/session/page";
import { addProfile } from "@/lib/services/accounts/new-profile";
import { NewProfileForm } from "./schemas";

const yearSeconds = 365 * 24 * 60 * 60;

/** The new one is the chosen one: what comes next is to fill it. */
export const addProfileAction = action(NewProfileForm, async ({ ctx, input }) => {
  const did = await addProfile(ctx, {
    ...input,
    namespace: engine().settings.values().PROF_NAMESPACE,
  });
  (await cookies()).set(profileCookie, did, {
    path: "/",
    sameSite: "lax",
    httpOnly: true,
    maxAge: yearSeconds,
  });
  revalidatePath("/dashboard", "layout");
  redirect("/dashboard/settings?made=1");
});
