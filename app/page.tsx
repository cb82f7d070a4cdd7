import { redirect } from "next/navigation";
import { currentUser, requestCtx } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { hasAdmin } from "@/lib/services/accounts/admins";
import { Brand } from "./_components/brand";
import { ButtonLink } from "./_components/button";
import { readerTheme } from "./_components/shell/reader-theme";
import { ThemeSwitch } from "./_components/shell/theme-switch";
import { Notice } from "./_components/states/notice";
import { chooseTheme } from "./theme-action";

const promises = [
  {
    title: "Agents propose",
    text: "What an agent wants to remember about you waits as a proposal until you approve, edit or reject it.",
  },
  {
    title: "You decide who reads",
    text: "Your rules say which agent may see which part of your profile. Whatever they do not mention stays closed.",
  },
  {
    title: "Every look is written down",
    text: "Who asked, for what, what was shown and what was withheld: the access log is yours to read.",
  },
];

export default async function LandingPage() {
  if ((await currentUser()) !== null) redirect("/dashboard");
  const theme = await readerTheme();
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-240 flex-col px-4 py-6 sm:px-8 sm:py-10">
      <header>
        <Brand href="/" />
      </header>
      <main className="flex flex-1 flex-col justify-center py-16">
        {!(await hasAdmin(requestCtx())) && <NoAdmin />}
        <h1 className="max-w-[18ch] text-claim leading-tight font-semibold tracking-tight sm:text-claim">
          Decide what agents know about you
        </h1>
        <p className="mt-5 max-w-prose text-base text-muted sm:text-lead">
          This gateway keeps one profile for each person: preferences, facts and memories. Software
          agents reach it only through here, with keys of their own, and within the limits that its
          owner has set.
        </p>
        <div className="mt-8 flex flex-wrap gap-3">
          {engine().settings.values().SIGN_UP === "open" && (
            <ButtonLink href="/sign-up">Create an account</ButtonLink>
          )}
          <ButtonLink href="/sign-in" look="secondary">
            Sign in
          </ButtonLink>
        </div>
        <ul className="mt-16 grid gap-8 border-t border-line pt-8 sm:grid-cols-3">
          {promises.map(({ title, text }) => (
            <li key={title}>
              <h2 className="text-lead font-semibold">{title}</h2>
              <p className="mt-1 text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </main>
      <footer className="flex flex-wrap items-center justify-between gap-4">
        <ThemeSwitch current={theme} choose={chooseTheme} />
        <ButtonLink href="/docs" look="quiet">
          For those who build agents
        </ButtonLink>
      </footer>
    </div>
  );
}

function NoAdmin() {
  return (
    <div className="mb-8">
      <Notice tone="info">
        This gateway has no admin yet. The link for the first admin is printed where the gateway was
        started, under “First admin”. It works for an hour; start the gateway again for a new one.
      </Notice>
    </div>
  );
}
