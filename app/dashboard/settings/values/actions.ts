"use server";

import { revalidatePath } from "next/cache";
import { profileAction } from "@/lib/http/session/action";
import {
  addNamedValue,
  changeNamedValue,
  removeNamedValue,
} from "@/lib/services/profile-values/named-values";
import { AddValueForm, ChangeValueForm, RemoveValueForm } from "../schemas";

export const addValueAction = profileAction(
  AddValueForm,
  async ({ ctx, profile: { did }, input }) => {
    await addNamedValue(ctx, { did, ...input });
    return done("Added.");
  },
);

export const changeValueAction = profileAction(
  ChangeValueForm,
  async ({ ctx, profile: { did }, input }) => {
    await changeNamedValue(ctx, { did, ...input });
    return done("Saved.");
  },
);

export const removeValueAction = profileAction(
  RemoveValueForm,
  async ({ ctx, profile: { did }, input }) => {
    await removeNamedValue(ctx, { did, ...input });
    return done("Removed.");
  },
);

function done(message: string) {
  revalidatePath("/dashboard", "layout");
  return { ok: true, message };
}
