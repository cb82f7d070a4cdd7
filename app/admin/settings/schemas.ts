import { z } from "zod";
import { settingNames } from "@/lib/engine/env";

export const SettingForm = z.object({
  name: z.enum(settingNames),
  value: z.string().trim().max(200),
});

export const ResetSettingForm = z.object({ name: z.enum(settingNames) });
