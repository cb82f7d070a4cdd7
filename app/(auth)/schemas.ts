import { z } from "zod";
import { faultOfPassword } from "@/lib/auth/password-rule";
import { Email } from "@/lib/http/session/form-fields";
import { text } from "@/lib/protocol/resources";
import { MailSwitch } from "@/lib/services/mail/stop";

export const SignInForm = z.object({
  email: z.string().max(254).trim().toLowerCase().min(1, "Enter your e-mail address."),
  password: z.string().max(1_000).min(1, "Enter your password."),
});

// Protocol 1: the name of a DID.
export const Handle = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, "Use 1 to 64 letters, digits, dots, dashes or underscores.");

export const PersonName = z
  .string()
  .trim()
  .min(1, "Enter your name.")
  .pipe(text({ min: 1, max: 100 }))
  .refine((name) => !/\p{Cc}/u.test(name), "Use plain text.");

const NewAccount = z.object({
  name: PersonName,
  email: Email,
  handle: Handle,
  password: z.string().max(1_000),
});

export const SignUpForm = withPasswordRule(NewAccount);
export const LinkForm = withPasswordRule(NewAccount.extend({ token: z.string().max(100) }));

// The rule needs the other fields, whether or not they are valid: all that is wrong is said at once.
function withPasswordRule<Account>(fields: z.ZodType<Account>) {
  return z.record(z.string(), z.string()).transform(async (typed, context): Promise<Account> => {
    const { password = "", email = "", name = null, handle = "" } = typed;
    const parsed = fields.safeParse(typed);
    const fault = await faultOfPassword(password, { email, name, handles: [handle] });
    for (const { path, message } of parsed.error?.issues ?? []) {
      context.addIssue({ code: "custom", path, message });
    }
    if (fault !== null) context.addIssue({ code: "custom", path: ["password"], message: fault });
    return parsed.success ? parsed.data : z.NEVER;
  });
}

export const RestoreForm = z
  .object({
    token: z.string().max(100),
    kept: z.string().max(100).default(""),
    path: z.string().trim().max(1_000).default(""),
    passphrase: z
      .string()
      .max(1_000)
      .regex(/^$|^.{12}/s, "A passphrase has at least 12 characters.")
      .default(""),
  })
  .transform(({ token, kept, path, passphrase }, context) => {
    const file = path || kept;
    if (file === "") {
      const message = "Choose a backup, or say where its file is.";
      context.addIssue({ code: "custom", path: ["path"], message });
    }
    return { token, file, passphrase: passphrase || null };
  });

export const ForgotForm = z.object({ email: Email });

export const StopForm = z.object({ what: MailSwitch, key: z.string().max(64) });

export const ConfirmAddressForm = z.object({ token: z.string().max(100) });

export const ResetForm = z.object({
  token: z.string().max(100),
  password: z.string().max(1_000),
  revoke: z
    .literal("on")
    .optional()
    .transform((on) => on !== undefined),
  shown: z.string().max(64).optional(),
});
