"use server";

import { revalidatePath } from "next/cache";
import { profileAction } from "@/lib/http/session/action";
import { addNamedValue, saveNamedValues } from "@/lib/services/profile-values/named-values";
import { readOwnValues } from "@/lib/services/profile-values/read";
import { AddValueForm, SaveValuesForm } from "../schemas";
import { namedFormValues, readValues, savedWords } from "../value-form";

export const saveValuesAction = profileAction(
  SaveValuesForm,
  async ({ ctx, profile, input: { seen, remove, ...fields } }) => {
    const values = namedFormValues((await readOwnValues(ctx, profile)).namedValues);
    const changes = readValues(values, { fields, remove });
    const count = await saveNamedValues(ctx, { did: profile.did, seen, changes });
    revalidatePath("/dashboard", "layout");
    const removed = values.find(({ key }) => key === remove);
    if (removed === undefined) return savedWords(count, undefined);
    const { name, category, value } = removed;
    return savedWords(count, { name, undo: { category, name, value } });
  },
);

export const addValueAction = profileAction(
  AddValueForm,
  async ({ ctx, profile: { did }, input }) => {
    await addNamedValue(ctx, { did, ...input });
    revalidatePath("/dashboard", "layout");
    return { ok: true, message: "Added." };
  },
);
