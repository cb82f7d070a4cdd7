"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { NewProfileForm } from "@/app/dashboard/settings/profiles/schemas";
import { engine } from "@/lib/engine/engine";
import { act, adminActs, demandTyped, Typed } from "@/lib/http/session/admin";
import { Email, idOf } from "@/lib/http/session/form-fields";
import { Did, parseDid } from "@/lib/protocol/did";
import * as profiles from "@/lib/services/admin/profiles/change-profile";
import { createProfileFor } from "@/lib/services/admin/profiles/create-profile";
import { deleteProfileOf } from "@/lib/services/admin/profiles/delete-profile";
import { transferProfile, withdrawTransfer } from "@/lib/services/admin/profiles/transfer-profile";
import type { Ctx } from "@/lib/services/context";

const UserDid = Did.refine((did) => parseDid(did)?.kind === "user", "Not a user's DID.");
const Profile = z.object({ did: UserDid });
const New = NewProfileForm.extend({ userId: idOf("usr", "a user") });
const WithFormat = Profile.extend({
  profileType: z.enum(["human", "agent", "entity"]),
  version: z
    .string()
    .trim()
    .regex(/^\d{1,4}\.\d{1,4}$/, "Write it as 1.0."),
});

function actOnProfile(work: (ctx: Ctx, did: Did) => Promise<void>, message: string) {
  return act(Profile, (ctx, { did }) => work(ctx, did), message);
}

export const profileAction = adminActs({
  create: act(New, async (ctx, input) => {
    const namespace = engine().settings.values().PROF_NAMESPACE;
    const did = await createProfileFor(ctx, { ...input, namespace });
    redirect(`/admin/profiles/${encodeURIComponent(did)}`);
  }),
  suspend: actOnProfile(profiles.suspendProfile, "Suspended: agents and its owner are refused."),
  resume: actOnProfile(profiles.resumeProfile, "Resumed: it is as it was before."),
  setFormat: act(WithFormat, profiles.setProfileFormat, "Agents read both from now on."),
  transfer: act(Profile.extend({ email: Email }), async (ctx, input) => {
    await transferProfile(ctx, input);
    const message = `The transfer to ${input.email} waits until both accept, or seven days if the owner does not answer.`;
    return { message };
  }),
  withdraw: actOnProfile(withdrawTransfer, "Withdrawn: the profile stays with its owner."),
  delete: act(Profile.extend({ typed: Typed }), async (ctx, { did, typed }) => {
    demandTyped(typed, did);
    await deleteProfileOf(ctx, did);
    redirect("/admin/profiles?deleted=1");
  }),
});
