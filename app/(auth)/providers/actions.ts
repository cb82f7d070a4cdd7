"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { providerIds } from "@/lib/auth/providers";
import { openAction } from "@/lib/http/session/action";
import { returnPath } from "@/lib/http/session/address/return-path";
import { beginProviderSignIn } from "@/lib/http/session/provider-sign-in";

export const beginAction = openAction(
  z.object({ provider: z.enum(providerIds) }),
  async ({ input: { provider } }) => {
    redirect(await beginProviderSignIn(provider, await returnPath()));
  },
);
