import type { Metadata } from "next";
import { cookies } from "next/headers";
import { Card } from "@/app/_components/card";
import { Notice } from "@/app/_components/notice";
import { readTheme, themeCookie } from "@/app/_components/theme";
import { ThemeSwitch } from "@/app/_components/theme-switch";
import { chooseKeys } from "@/app/dashboard/proposals/actions";
import { keysCookie } from "@/app/dashboard/proposals/review/keys-cookie";
import { firstParam } from "@/app/dashboard/query";
import { chooseTheme } from "@/app/theme-action";
import { providersOf } from "@/lib/auth/providers";
import { engine } from "@/lib/engine/engine";
import { confirmationFor, hasPassword } from "@/lib/http/session/confirm";
import { pageContext } from "@/lib/http/session/page";
import { listIdentities } from "@/lib/services/accounts/identities";
import { listSessions } from "@/lib/services/accounts/own-sessions";
import { KeysSwitch } from "./keys-switch";
import { Linked } from "./linked";
import { PasswordForm } from "./password-form";
import { Sessions } from "./sessions";

export const metadata: Metadata = { title: "Account" };

interface AccountPageProps {
  searchParams: Promise<{ linked?: string | string[] }>;
}

export default async function AccountPage({ searchParams }: AccountPageProps) {
  const { ctx, who } = await pageContext();
  const cookie = await cookies();
  const [sessions, linked, withPassword, confirm] = await Promise.all([
    listSessions(ctx),
    listIdentities(ctx),
    hasPassword({ ctx, who }),
    confirmationFor({ ctx, who }),
  ]);
  const outcome = firstParam((await searchParams).linked);
  return (
    <>
      {outcome === "elsewhere" && (
        <Notice tone="danger">
          That sign-in belongs to another account here. Nothing was changed.
        </Notice>
      )}
      {outcome === "another" && (
        <Notice tone="danger">
          Another account there is linked already, and one is the most. Nothing was changed; unlink
          that one first, then link this one.
        </Notice>
      )}
      {outcome === "stale" && (
        <Notice tone="danger">
          Nothing was linked, as it took longer than ten minutes. Link it again.
        </Notice>
      )}
      {outcome === "linked" && <Notice tone="info">Linked. You can sign in with it now.</Notice>}
      <Card title="You">
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1">
          <dt className="text-muted">Name</dt>
          <dd className="wrap-anywhere">{who.name ?? "None given"}</dd>
          <dt className="text-muted">E-mail address</dt>
          <dd className="wrap-anywhere">{who.email}</dd>
        </dl>
        <p className="mt-3 text-xs text-muted">
          Only admins of this gateway see these. What agents see is your profile.
        </p>
      </Card>
      <PasswordForm hasPassword={withPassword} confirm={confirm} email={who.email} />
      <Linked providers={providersOf(engine().env)} linked={linked} />
      <Sessions sessions={sessions} currentId={who.sessionId} now={ctx.now} />
      <Card title="This browser">
        <div className="flex flex-col gap-5">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p>Colours</p>
            <ThemeSwitch current={readTheme(cookie.get(themeCookie)?.value)} choose={chooseTheme} />
          </div>
          <KeysSwitch isOn={cookie.get(keysCookie)?.value !== "off"} choose={chooseKeys} />
        </div>
      </Card>
    </>
  );
}
