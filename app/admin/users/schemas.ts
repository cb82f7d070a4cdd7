import { z } from "zod";
import { Email, idOf } from "@/lib/http/session/form-fields";

const UserId = idOf("usr", "a user");
const Role = z.enum(["user", "admin"]);

export const InviteForm = z.object({
  email: Email,
  role: Role,
});

export const StateForm = z.object({ userId: UserId, intent: z.enum(["suspend", "resume"]) });
export const RoleForm = z.object({ userId: UserId, role: Role });
export const ResetForm = z.object({ userId: UserId });

export const DeleteForm = z.object({
  userId: UserId,
  typed: z.string().max(300).trim().toLowerCase(),
});
