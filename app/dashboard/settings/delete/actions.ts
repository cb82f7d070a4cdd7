"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { leaveSession } from "@/lib/auth/session";
import { action, profileAction } from "@/lib/http/session/action";
import { invalidRequest } from "@/lib/protocol/errors";
import { deleteAccount } from "@/lib/services/erasure/delete-account";
import { deleteProfile } from "@/lib/services/erasure/delete-profile";
import { wordToType } from "./word-to-type";

const DeleteForm = z.object({ word: z.string().max(300).default("") });

// Deleting cannot be undone, so the name has to be typed too.
function requireWord(word: string, expected: string): void {
  if (word.trim() === expected) return;
  throw invalidRequest([{ path: "word", message: `Type ${expected} to confirm.` }]);
}

export const deleteProfileAction = profileAction(
  DeleteForm,
  async ({ ctx, profile: { did }, input: { word } }) => {
    requireWord(word, wordToType(did));
    await deleteProfile(ctx, { did });
    redirect("/dashboard/settings/profiles?deleted=1");
  },
);

export const deleteAccountAction = action(DeleteForm, async ({ ctx, who, input: { word } }) => {
  requireWord(word, who.email);
  await deleteAccount(ctx);
  await leaveSession();
  redirect("/goodbye");
});
