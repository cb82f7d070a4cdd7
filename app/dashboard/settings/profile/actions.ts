"use server";

import { revalidatePath } from "next/cache";
import { profileAction } from "@/lib/http/session/action";
import { displayName, editCommon } from "@/lib/services/profile-values/edit-common";
import { readOwnValues } from "@/lib/services/profile-values/read";
import { absentVersion } from "@/lib/services/profile-values/version";
import { AddPreferenceForm, SaveProfileForm } from "../schemas";
import { commonFormValues, readValues, savedWords } from "../value-form";

export const saveProfileAction = profileAction(
  SaveProfileForm,
  async ({ ctx, profile, input: { displayName: value, seen, remove, ...fields } }) => {
    const values = commonFormValues((await readOwnValues(ctx, profile)).common);
    const typed = readValues(values, { fields, remove });
    const changes = [
      { ...displayName, value },
      ...typed.map(({ at, value }) => ({ ...at, value })),
    ];
    const count = await editCommon(ctx, { did: profile.did, seen, changes });
    revalidatePath("/dashboard", "layout");
    const removed = values.find(({ key }) => key === remove);
    return savedWords(
      count,
      removed && { name: removed.name, undo: { ...removed.at, value: removed.value } },
    );
  },
);

export const addPreferenceAction = profileAction(
  AddPreferenceForm,
  async ({ ctx, profile: { did }, input }) => {
    const changes = [{ member: "preferences", ...input }];
    await editCommon(ctx, { did, seen: absentVersion, changes });
    revalidatePath("/dashboard", "layout");
    return { ok: true, message: "Added." };
  },
);
