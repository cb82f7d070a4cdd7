import { z } from "zod";
import { NewProfileForm } from "@/app/dashboard/settings/profiles/schemas";
import { Email, idOf } from "@/lib/http/session/form-fields";
import { Did, parseDid } from "@/lib/protocol/did";

const UserDid = Did.refine((did) => parseDid(did)?.kind === "user", "Not a user's DID.");

export const StateForm = z.object({ did: UserDid, intent: z.enum(["suspend", "resume"]) });

export const FormatForm = z.object({
  did: UserDid,
  profileType: z.enum(["human", "agent", "entity"]),
  version: z
    .string()
    .trim()
    .regex(/^\d{1,4}\.\d{1,4}$/, "Write it as 1.0."),
});

export const TransferForm = z.object({
  did: UserDid,
  email: Email,
});

export const WithdrawForm = z.object({ did: UserDid });

export const CreateForm = NewProfileForm.extend({
  userId: idOf("usr", "a user"),
});

export const DeleteForm = z.object({ did: UserDid, typed: z.string().trim().max(200) });
