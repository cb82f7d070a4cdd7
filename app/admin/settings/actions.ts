"use server";

import { z } from "zod";
import { engine } from "@/lib/engine/engine";
import { settingNames } from "@/lib/engine/env";
import { act, adminActs } from "@/lib/http/session/admin";
import { idOf } from "@/lib/http/session/form-fields";
import { changeSetting, revertSetting, type SettingChange } from "@/lib/services/admin/settings";
import type { Ctx } from "@/lib/services/context";
import { settingWords } from "../words/setting";

const Setting = z.object({ name: z.enum(settingNames) });
const Undo = z.object({ kind: z.literal("setting"), id: idOf("evt", "a change to undo") });

export const settingAction = adminActs({
  change: act(Setting.extend({ value: z.string().trim().max(200) }), async (ctx, input) =>
    changed(ctx, input, "changed on every instance within a second."),
  ),
  reset: act(Setting, async (ctx, { name }) =>
    changed(ctx, { name, value: null }, "as the configuration says again."),
  ),
});

/** The action behind the Undo button of a toast. */
export const undoAction = act(
  Undo,
  (ctx, { id }) => revertSetting(ctx, engine().settings, id),
  "Undone: the setting is as it was before.",
);

async function changed(ctx: Ctx, change: SettingChange, how: string) {
  const id = await changeSetting(ctx, engine().settings, change);
  return { message: `${settingWords[change.name].title}: ${how}`, undo: { kind: "setting", id } };
}
