"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { engine } from "@/lib/engine/engine";
import { action } from "@/lib/http/session/action";
import { admitAddressLink } from "@/lib/http/session/admit-person";
import { demandConfirmed } from "@/lib/http/session/confirm";
import { Email } from "@/lib/http/session/form-fields";
import { Did } from "@/lib/protocol/did";
import { notNow } from "@/lib/protocol/errors";
import { changeMailbox, muteAgent, requestAddress } from "@/lib/services/mail/mailbox";
import { TimeZone, ticked } from "./schemas";

const MailForm = z.object({
  requests: ticked,
  agents: ticked,
  digest: z.enum(["never", "day", "week"]),
  hour: z.coerce.number().int().min(0).max(23),
  weekday: z.coerce.number().int().min(1).max(7),
  timeZone: TimeZone,
  contents: ticked,
});

export const changeMailAction = action(MailForm, async ({ ctx, input }) => {
  await changeMailbox(ctx, input);
  revalidatePath("/dashboard/settings/mail");
  return { ok: true, message: "Saved." };
});

const AddressForm = z.object({ email: Email });

/** An address is also a way in, by a link for a new password: the person confirms who they are. */
export const addressAction = action(AddressForm, async ({ ctx, who, input: { email } }) => {
  if (engine().mailer === null) throw notNow("This gateway sends no mail, so nothing was sent.");
  if (email !== who.email) await demandConfirmed(ctx);
  await admitAddressLink({ engine: engine(), now: ctx.now }, who.userId);
  await requestAddress(ctx, { email });
  revalidatePath("/dashboard/settings/mail");
  const message = `A link is on its way to ${email}. Until you open it, nothing changes.`;
  return { ok: true, message };
});

const MuteForm = z.object({ agentDid: Did, muted: z.enum(["yes", "no"]) });

export const muteAction = action(MuteForm, async ({ ctx, input: { agentDid, muted } }) => {
  await muteAgent(ctx, { agentDid, muted: muted === "yes" });
  revalidatePath("/dashboard", "layout");
  const message =
    muted === "yes"
      ? "Muted: no mail tells you what this agent does."
      : "Unmuted: mails about this agent come as your settings say.";
  return { ok: true, message };
});
