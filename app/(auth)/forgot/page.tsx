import type { Metadata } from "next";
import { Field } from "@/app/_components/forms/fields/field";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { TextLink } from "@/app/_components/text-link";
import { engine } from "@/lib/engine/engine";
import { forgotAction } from "../actions";
import { Heading } from "../heading";

export const metadata: Metadata = { title: "Password forgotten" };

export default function ForgotPage() {
  const isMailed = engine().mailer !== null;
  return (
    <>
      <Heading title="Password forgotten?">
        {isMailed
          ? "Enter the address of your account. A link to choose a new password comes by mail; until you use it, the old password works."
          : "This gateway sends no mail. An admin of it can make you a link to choose a new password."}
      </Heading>
      {isMailed && (
        <Form action={forgotAction}>
          <Field
            name="email"
            label="E-mail address"
            type="email"
            autoComplete="username"
            maxLength={254}
            required
          />
          <SubmitButton className="w-full">Send the link</SubmitButton>
        </Form>
      )}
      <p className="mt-6 text-small text-muted">
        <TextLink href="/sign-in">Back to sign in</TextLink>
      </p>
    </>
  );
}
