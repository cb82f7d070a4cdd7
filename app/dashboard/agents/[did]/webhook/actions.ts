"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { engine } from "@/lib/engine/engine";
import { action, type Outcome } from "@/lib/http/session/action";
import { idOf } from "@/lib/http/session/form-fields";
import { Did } from "@/lib/protocol/did";
import type { Ctx } from "@/lib/services/context";
import { replayDelivery } from "@/lib/services/webhooks/deliveries";
import {
  findWebhook,
  removeWebhook,
  resumeWebhook,
  rotateSecret,
  setWebhook,
  testWebhook,
  urlLengthMax,
} from "@/lib/services/webhooks/webhooks";

/** A secret, once. */
export interface ShownSecret {
  secret?: string;
}

type Done = Promise<Outcome<ShownSecret>>;

const AddressForm = z.object({
  agentDid: Did,
  url: z.string().trim().min(1, "Enter an address.").max(urlLengthMax),
});

export const setWebhookAction = action(AddressForm, async ({ ctx, input }): Done => {
  const { agentDid: did, url } = input;
  const allowsLoopback = engine().env.NODE_ENV !== "production";
  const { secret } = await setWebhook(ctx, { did, url, allowsLoopback });
  revalidatePath("/dashboard", "layout");
  const message = "Saved: messages go to this address from now on.";
  return { ok: true, message, shown: secret === null ? {} : { secret } };
});

const acts = {
  async test(ctx: Ctx, did: Did): Done {
    await testWebhook(ctx, did);
    const isPaused = (await findWebhook(ctx, did))?.state === "paused";
    const message = isPaused
      ? "The test message waits: it is sent once you resume the webhook."
      : "The test message is on its way. Its answer is listed below.";
    return { ok: true, message };
  },
  async rotate(ctx: Ctx, did: Did): Done {
    const { secret } = await rotateSecret(ctx, did);
    const message = "The new secret signs from now on. For 24 hours the former one signs as well.";
    return { ok: true, message, shown: { secret } };
  },
  async resume(ctx: Ctx, did: Did): Done {
    await resumeWebhook(ctx, did);
    return { ok: true, message: "Resumed: what waits is sent now." };
  },
  async remove(ctx: Ctx, did: Did): Done {
    await removeWebhook(ctx, did);
    return { ok: true, message: "Removed: no more messages are sent." };
  },
};

const ActForm = z.object({
  agentDid: Did,
  intent: z.enum(["test", "rotate", "resume", "remove"]),
});

export const webhookAction = action(ActForm, async ({ ctx, input: { agentDid, intent } }): Done => {
  const done = await acts[intent](ctx, agentDid);
  revalidatePath("/dashboard", "layout");
  return done;
});

const ReplayForm = z.object({ agentDid: Did, replay: idOf("msg", "a message") });

export const replayAction = action(ReplayForm, async ({ ctx, input: { agentDid, replay } }) => {
  await replayDelivery(ctx, { did: agentDid, id: replay });
  revalidatePath("/dashboard", "layout");
  return { ok: true, message: "The message waits to be sent once more." };
});
