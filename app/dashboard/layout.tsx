import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { chosenProfile, pageContext } from "@/lib/http/session/page";
import { visit } from "@/lib/services/activity/visit";
import { countWaiting, type Waiting } from "@/lib/services/overview";
import { ProfileScope } from "../_components/forms/scope";
import { Account } from "../_components/shell/account";
import { Nav, type Place } from "../_components/shell/nav";
import { Shell } from "../_components/shell/shell";
import { readTheme, themeCookie } from "../_components/theme";
import { Toasts } from "../_components/toasts/toasts";
import { Live } from "./live";
import { Notices } from "./notices/notices";
import { ProfileSwitch } from "./profile-switch";
import { undoAction } from "./undo/actions";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { ctx, who } = await pageContext();
  const theme = readTheme((await cookies()).get(themeCookie)?.value);
  const profile = await chosenProfile(who);
  const isOpen = profile !== null && profile.state === "active";
  const waiting = !isOpen ? null : await countWaiting(ctx, profile.id);
  const did = profile?.did ?? null;
  if (isOpen) await visit(ctx, profile.did);
  return (
    <ProfileScope did={did}>
      <Toasts undo={undoAction}>
        <Shell
          nav={
            <div className="flex flex-col gap-4">
              <ProfileSwitch profiles={who.profiles.map((one) => one.did)} chosen={did} />
              <Nav label="Dashboard" groups={placesWith(waiting)} />
            </div>
          }
          account={<Account who={who} theme={theme} />}
        >
          <Notices ctx={ctx} />
          {children}
        </Shell>
        {isOpen && <Live did={profile.did} now={ctx.now.toISOString()} />}
      </Toasts>
    </ProfileScope>
  );
}

function placesWith(waiting: Waiting | null): Place[][] {
  return [
    [
      { href: "/dashboard", label: "Overview" },
      { href: "/dashboard/proposals", label: "Inbox", waiting: waiting?.proposals },
      { href: "/dashboard/access", label: "Access requests", waiting: waiting?.requests },
    ],
    [
      { href: "/dashboard/memories", label: "Memories" },
      { href: "/dashboard/agents", label: "Agents" },
      { href: "/dashboard/access/policies", label: "Policies" },
      { href: "/dashboard/connections", label: "Connections" },
    ],
    [
      { href: "/dashboard/activity", label: "Activity" },
      { href: "/dashboard/settings", label: "Settings" },
    ],
  ];
}
