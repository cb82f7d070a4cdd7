import type { Metadata } from "next";
import { cookies } from "next/headers";
import { Card } from "@/app/_components/card";
import { SegmentButtons } from "@/app/_components/lists/segments";
import { readerTheme } from "@/app/_components/shell/reader-theme";
import { ThemeSwitch } from "@/app/_components/shell/theme-switch";
import { Facts } from "@/app/_components/shown/facts";
import { Notice } from "@/app/_components/states/notice";
import { chooseKeys } from "@/app/dashboard/proposals/actions";
import { keysCookie } from "@/app/dashboard/proposals/review/keys/keys-cookie";
import { chooseTheme } from "@/app/theme-action";
import { providersOf } from "@/lib/auth/providers";
import { engine } from "@/lib/engine/engine";
import { oneOf, type Query } from "@/lib/http/session/address/search-params";
import { confirmationFor, hasPassword } from "@/lib/http/session/confirm";
import { pageContext } from "@/lib/http/session/page";
import { listIdentities } from "@/lib/services/accounts/identities";
import { listSessions } from "@/lib/services/accounts/own-sessions";
import { Linked } from "./linked";
import { PasswordForm } from "./password-form";
import { Sessions } from "./sessions";

export const metadata: Metadata = { title: "Account" };

const notLinked: Record<string, string> = {
  elsewhere: "That sign-in belongs to another account here. Nothing was changed.",
  another:
    "Another account of that provider is linked already, and only one can be. Nothing was changed: unlink that one first, then link this one.",
  stale: "Nothing was linked, as it took longer than ten minutes. Link it again.",
};

const onOff = [
  ["on", "On"],
  ["off", "Off"],
] as const;

export default async function AccountPage(props: { searchParams: Promise<Query> }) {
  const { ctx, who } = await pageContext();
  const cookie = await cookies();
  const [sessions, linked, withPassword, confirm] = await Promise.all([
    listSessions(ctx),
    listIdentities(ctx),
    hasPassword({ ctx, who }),
    confirmationFor({ ctx, who }),
  ]);
  const keys = { choices: onOff, current: cookie.get(keysCookie)?.value === "off" ? "off" : "on" };
  const outcome = oneOf((await props.searchParams).linked) ?? "";
  return (
    <>
      {outcome === "linked" && <Notice tone="info">Linked. You can sign in with it now.</Notice>}
      {Object.hasOwn(notLinked, outcome) && <Notice tone="danger">{notLinked[outcome]}</Notice>}
      <Card title="You">
        <Facts
          facts={[
            ["Name", who.name ?? "None given"],
            ["E-mail address", who.email],
          ]}
        />
        <p className="mt-3 text-small text-muted">
          Admins of this gateway see both. When a profile is given by you or to you, its other owner
          sees your e-mail address. Agents see your profile: its display name began as your name.
        </p>
      </Card>
      <PasswordForm hasPassword={withPassword} confirm={confirm} email={who.email} />
      <Linked providers={providersOf(engine().env)} linked={linked} />
      <Sessions sessions={sessions} currentId={who.sessionId} now={ctx.now} />
      <Card title="This browser">
        <div className="flex flex-col gap-5">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p>Colours</p>
            <ThemeSwitch current={await readerTheme()} choose={chooseTheme} />
          </div>
          {/* Single keys get in the way of some ways to write and to read aloud. */}
          <form action={chooseKeys} className="flex flex-wrap items-center justify-between gap-3">
            <div>
              <p>Single keys in the inbox</p>
              <p className="text-small text-muted">A approves, R rejects, J and K move.</p>
            </div>
            <SegmentButtons label="Single keys in the inbox" name="keys" {...keys} />
          </form>
        </div>
      </Card>
    </>
  );
}
