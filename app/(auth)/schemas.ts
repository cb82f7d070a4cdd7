import { z } from "zod";
import { faultOfPassword } from "@/lib/auth/password-rule";
import { text } from "@/lib/protocol/resources";

export const SignInForm = z.object({
  email: z.string().max(254).trim().toLowerCase().min(1, "Enter your e-mail address."),
  password: z.string().max(1_000).min(1, "Enter your password."),
});

// Decisions 1: the name of a DID.
const Handle = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, "Use 1 to 64 letters, digits, dots, dashes or underscores.");

const NewAccount = z.object({
  name: z
    .string()
    .trim()
    .min(1, "Enter your name.")
    .pipe(text({ min: 1, max: 100 }))
    .refine((name) => !/\p{Cc}/u.test(name), "Use plain text."),
  email: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.email("Enter an e-mail address like name@example.com.").max(254)),
  handle: Handle,
  password: z.string().max(1_000),
});

export const SignUpForm = NewAccount.superRefine(refusePassword);
export const LinkForm = NewAccount.extend({ token: z.string().max(100) }).superRefine(
  refusePassword,
);

function refusePassword(
  { password, email, handle }: { password: string; email: string; handle: string },
  context: z.RefinementCtx,
): void {
  const message = faultOfPassword(password, { email, handle });
  if (message !== null) context.addIssue({ code: "custom", path: ["password"], message });
}
