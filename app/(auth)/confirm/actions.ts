"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { providerIds } from "@/lib/auth/providers";
import { action } from "@/lib/http/session/action";
import { backPath, demandConfirmed } from "@/lib/http/session/confirm";
import { beginProviderSignIn } from "@/lib/http/session/provider-sign-in";

const Back = z.string().max(2_000).default("").transform(backPath);

/** The password in the form has confirmed the session by the time this runs. */
export const confirmAction = action(z.object({ back: Back }), async ({ ctx, input }) => {
  await demandConfirmed(ctx);
  redirect(input.back);
});

export const signInAgainAction = action(
  z.object({ provider: z.enum(providerIds), back: Back }),
  async ({ input: { provider, back } }) => {
    redirect(await beginProviderSignIn(provider, back));
  },
);
