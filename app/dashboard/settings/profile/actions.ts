"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { PersonName } from "@/app/(auth)/schemas";
import { parseJsonText } from "@/lib/http/json/json-text";
import { profileAction } from "@/lib/http/session/action";
import { invalidRequest } from "@/lib/protocol/errors";
import { absentVersion, editCommon } from "@/lib/services/profile-values/edit-common";
import {
  AddPreferenceForm,
  ChangePreferenceForm,
  Digest,
  JsonForm,
  RemovePreferenceForm,
} from "../schemas";

const NameForm = z.object({ displayName: PersonName, seen: Digest });

export const renameAction = profileAction(NameForm, async ({ ctx, profile: { did }, input }) => {
  const { displayName: value, seen } = input;
  await editCommon(ctx, { did, seen, change: { part: "displayName", value } });
  return done("Saved.");
});

export const addPreferenceAction = profileAction(
  AddPreferenceForm,
  async ({ ctx, profile: { did }, input: { name, value } }) => {
    const change = { part: "preference", name, value } as const;
    await editCommon(ctx, { did, seen: absentVersion, change });
    return done("Added.");
  },
);

export const changePreferenceAction = profileAction(
  ChangePreferenceForm,
  async ({ ctx, profile: { did }, input: { name, value, seen } }) => {
    await editCommon(ctx, { did, seen, change: { part: "preference", name, value } });
    return done("Saved.");
  },
);

export const removePreferenceAction = profileAction(
  RemovePreferenceForm,
  async ({ ctx, profile: { did }, input: { name, seen } }) => {
    await editCommon(ctx, { did, seen, change: { part: "preference", name } });
    return done("Removed.");
  },
);

const Preferences = z.record(z.string(), z.unknown());

const Common = z.looseObject({ preferences: Preferences.optional() });

export const editJsonAction = profileAction(
  JsonForm,
  async ({ ctx, profile: { did }, input: { json, seen } }) => {
    const read = parseJsonText(json);
    if ("fault" in read) throw invalidRequest([{ path: "json", message: read.fault }]);
    const value = Common.safeParse(read.value);
    if (!value.success) {
      const message = "It must be one object { … }, and so must its member “preferences”.";
      throw invalidRequest([{ path: "json", message }]);
    }
    await editCommon(ctx, { did, seen, change: { part: "common", value: value.data } });
    return done("Saved.");
  },
);

function done(message: string) {
  revalidatePath("/dashboard", "layout");
  return { ok: true, message };
}
