"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { PublicKey } from "@/lib/auth/keys/public-key";
import { profileAction } from "@/lib/http/session/action";
import { idOf } from "@/lib/http/session/form-fields";
import { text } from "@/lib/protocol/resources";
import { addKey, revokeKey } from "@/lib/services/agents/keys";

const AddKeyForm = z.object({
  label: text({ min: 1, max: 100 }),
  publicKey: PublicKey,
});

export const addKeyAction = profileAction(
  AddKeyForm,
  async ({ ctx, profile: { did }, input: { label, publicKey } }) => {
    await addKey(ctx, { did, label, publicKey });
    revalidatePath("/dashboard", "layout");
    return { ok: true, message: "Added. It can sign as you from now on." };
  },
);

const RevokeKeyForm = z.object({ keyId: idOf("key", "a key") });

export const revokeKeyAction = profileAction(
  RevokeKeyForm,
  async ({ ctx, profile: { did }, input: { keyId } }) => {
    await revokeKey(ctx, { did, keyId });
    revalidatePath("/dashboard", "layout");
    return { ok: true, message: "Revoked. Its very next signature is refused." };
  },
);
