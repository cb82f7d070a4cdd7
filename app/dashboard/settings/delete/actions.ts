"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { z } from "zod";
import { didName } from "@/app/_components/words/did-name";
import { goodbyeCookie } from "@/app/(auth)/goodbye/cookie";
import { leaveSession } from "@/lib/auth/session";
import { action, profileAction } from "@/lib/http/session/action";
import { invalidRequest } from "@/lib/protocol/errors";
import { deleteAccount } from "@/lib/services/erasure/delete-account";
import { deleteProfile } from "@/lib/services/erasure/delete-profile";

const DeleteForm = z.object({ word: z.string().max(300).default("") });

// Deleting cannot be undone, so the name has to be typed too.
function requireWord(word: string, expected: string): void {
  if (word.trim() === expected) return;
  throw invalidRequest([{ path: "word", message: `Type ${expected} to confirm.` }]);
}

export const deleteProfileAction = profileAction(
  DeleteForm,
  async ({ ctx, profile: { did }, input: { word } }) => {
    requireWord(word, didName(did));
    await deleteProfile(ctx, { did });
    redirect("/dashboard/settings/profiles?deleted=1");
  },
);

export const deleteAccountAction = action(DeleteForm, async ({ ctx, who, input: { word } }) => {
  requireWord(word, who.email);
  await deleteAccount(ctx);
  await leaveSession();
  (await cookies()).set(goodbyeCookie, "1", { path: "/goodbye", httpOnly: true, maxAge: 60 });
  redirect("/goodbye");
});
