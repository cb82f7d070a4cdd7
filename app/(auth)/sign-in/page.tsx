import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { Field } from "@/app/_components/forms/field";
import { Form } from "@/app/_components/forms/form";
import { Notice } from "@/app/_components/notice";
import { currentUser } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { signInAction } from "../actions";
import { Heading } from "../heading";
import { ProviderButtons } from "../providers/provider-buttons";
import { signInTrouble } from "../providers/trouble";

export const metadata: Metadata = { title: "Sign in" };

interface SignInPageProps {
  searchParams: Promise<{ from?: string | string[]; error?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  if ((await currentUser()) !== null) redirect("/dashboard");
  const { from, error } = await searchParams;
  return (
    <>
      <Heading title="Sign in" />
      {from === "sign-out" && (
        <div className="mb-6">
          <Notice tone="info">You are signed out on this device.</Notice>
        </div>
      )}
      {from === "reset" && (
        <div className="mb-6">
          <Notice tone="info">
            Your new password is set, every session has ended, and every other way to sign in is
            unlinked. Sign in with the new password.
          </Notice>
        </div>
      )}
      {error !== undefined && (
        <div className="mb-6">
          <Notice tone="danger">{signInTrouble(error)}</Notice>
        </div>
      )}
      <Form action={signInAction} submit="Sign in">
        <Field name="email" label="E-mail address" type="email" autoComplete="username" required />
        <Field
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          required
        />
      </Form>
      <ProviderButtons />
      {engine().settings.values().SIGN_UP === "open" && (
        <p className="mt-8 text-muted">
          No account yet?{" "}
          <Link className="font-medium text-accent underline underline-offset-4" href="/sign-up">
            Create one
          </Link>
        </p>
      )}
    </>
  );
}
