"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { leaveSession } from "@/lib/auth/session";
import { action, profileAction } from "@/lib/http/session/action";
import { hasPassword, requireSelf } from "@/lib/http/session/confirm";
import { invalidRequest } from "@/lib/protocol/errors";
import { deleteAccount } from "@/lib/services/erasure/delete-account";
import { deleteProfile } from "@/lib/services/erasure/delete-profile";
import { wordToType } from "./word-to-type";

const DeleteForm = z.object({
  profilePassword: z.string().max(1_000).default(""),
  accountPassword: z.string().max(1_000).default(""),
  word: z.string().max(300).default(""),
});

type Asked = Parameters<typeof hasPassword>[0];

// Without a password: the word, and a session of moments ago.
async function requireConfirmation(
  asked: Asked,
  input: { field: string; password: string; word: string; expected: string },
) {
  const { field, password, word, expected } = input;
  if (!(await hasPassword(asked)) && word.trim() !== expected) {
    throw invalidRequest([{ path: "word", message: `Type ${expected} to confirm.` }]);
  }
  await requireSelf(asked, { field: (await hasPassword(asked)) ? field : "word", password });
}

export const deleteProfileAction = profileAction(
  DeleteForm,
  async ({ ctx, who, profile: { did }, input: { profilePassword, word } }) => {
    const expected = wordToType(did);
    const field = "profilePassword";
    await requireConfirmation({ ctx, who }, { field, password: profilePassword, word, expected });
    await deleteProfile(ctx, { did });
    redirect("/dashboard/settings/profiles?deleted=1");
  },
);

export const deleteAccountAction = action(
  DeleteForm,
  async ({ ctx, who, input: { accountPassword, word } }) => {
    const expected = who.email;
    const field = "accountPassword";
    await requireConfirmation({ ctx, who }, { field, password: accountPassword, word, expected });
    await deleteAccount(ctx);
    await leaveSession();
    redirect("/goodbye");
  },
);
