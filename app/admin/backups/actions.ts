"use server";

import { z } from "zod";
import { engine } from "@/lib/engine/engine";
import { act, adminActs } from "@/lib/http/session/admin";
import { startBackup } from "@/lib/services/admin/system/backups";

export const backupAction = adminActs({
  start: act(z.object({}), async (ctx) => {
    await startBackup(ctx, engine());
    return { message: "Started: this page shows how it ends." };
  }),
});
