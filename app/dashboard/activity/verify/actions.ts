"use server";

import { z } from "zod";
import { profileAction } from "@/lib/http/session/action";
import { verifyActivity } from "@/lib/services/activity/verify-activity";
import { verdictOf } from "./verdict";

const Nothing = z.object({});

export const verifyAction = profileAction<typeof Nothing, unknown>(
  Nothing,
  async ({ ctx, profile }) => ({
    ok: true,
    message: null,
    shown: verdictOf(await verifyActivity(ctx, profile.did)),
  }),
);
