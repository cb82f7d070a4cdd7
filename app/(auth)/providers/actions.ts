"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { type ProviderId, providerNames } from "@/lib/auth/providers";
import { openAction } from "@/lib/http/session/action";
import { beginProviderSignIn } from "@/lib/http/session/provider-sign-in";

const ids = Object.keys(providerNames) as [ProviderId, ...ProviderId[]];

export const beginAction = openAction(
  z.object({ provider: z.enum(ids) }),
  async ({ input: { provider } }) => {
    redirect(await beginProviderSignIn(provider, "/dashboard"));
  },
);
