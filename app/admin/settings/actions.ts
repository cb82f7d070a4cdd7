"use server";

import { revalidatePath } from "next/cache";
import { engine } from "@/lib/engine/engine";
import { adminAction } from "@/lib/http/session/admin";
import { changeSetting } from "@/lib/services/admin/settings";
import { ResetSettingForm, SettingForm } from "./schemas";
import { settingWords } from "./words";

export const settingAction = adminAction(SettingForm, async ({ ctx, input }) => {
  const id = await changeSetting(ctx, engine().settings, input);
  revalidatePath("/admin", "layout");
  const message = `${settingWords[input.name].title}: changed on every instance within a second.`;
  return { ok: true, message, undo: { kind: "setting", id } };
});

export const resetSettingAction = adminAction(
  ResetSettingForm,
  async ({ ctx, input: { name } }) => {
    const id = await changeSetting(ctx, engine().settings, { name, value: null });
    revalidatePath("/admin", "layout");
    const message = `${settingWords[name].title}: as the configuration says again.`;
    return { ok: true, message, undo: { kind: "setting", id } };
  },
);
