import { z } from "zod";

const UserId = z.string().regex(/^usr_[0-9A-Za-z]{1,32}$/, "Not a user.");
const Role = z.enum(["user", "admin"]);

export const InviteForm = z.object({
  email: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.email("Enter an e-mail address like name@example.com.").max(254)),
  role: Role,
});

export const StateForm = z.object({ userId: UserId, intent: z.enum(["suspend", "resume"]) });
export const RoleForm = z.object({ userId: UserId, role: Role });
export const ResetForm = z.object({ userId: UserId });

export const DeleteForm = z.object({
  userId: UserId,
  typed: z.string().max(300).trim().toLowerCase(),
});
