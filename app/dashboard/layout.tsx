import type { Metadata } from "next";
import type { ReactNode } from "react";
import { countPendingAgents } from "@/lib/services/admin/agents/list-agents";
import { Command } from "../_components/command/command";
import { ProfileScope } from "../_components/forms/scope";
import { Account } from "../_components/shell/account";
import type { Place } from "../_components/shell/nav";
import { readerTheme } from "../_components/shell/reader-theme";
import { Shell } from "../_components/shell/shell";
import { Toasts } from "../_components/toasts/toasts";
import { dashboardContext } from "./context";
import { Live } from "./live";
import { Notices } from "./notices/notices";
import { placesWith } from "./places";
import { ProfileSwitch } from "./profile-switch";
import { searchAction } from "./search/actions";
import { undoAction } from "./undo/actions";

/** The title of every page of the dashboard says how much waits. */
export async function generateMetadata(): Promise<Metadata> {
  const { counts } = await dashboardContext();
  const count = (counts?.proposals ?? 0) + (counts?.requests ?? 0);
  const start = count === 0 ? "" : `(${count > 999 ? "999+" : count}) `;
  return {
    title: { default: `${start}Overview`, template: `${start}%s · Profile Access Gateway` },
  };
}

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { ctx, who, profile, counts } = await dashboardContext();
  const theme = await readerTheme();
  const did = profile?.did ?? null;
  const isOpen = profile !== null && counts !== null;
  const places = [
    ...placesWith(counts),
    ...(who.role === "admin" ? [[adminPlace(await countPendingAgents(ctx))]] : []),
  ];
  return (
    <ProfileScope did={did}>
      <Toasts undo={undoAction}>
        <Shell
          label="Dashboard"
          places={places}
          head={<ProfileSwitch profiles={who.profiles.map((one) => one.did)} chosen={did} />}
          account={<Account who={who} did={did} theme={theme} />}
          search={isOpen ? "/dashboard/search" : undefined}
        >
          <Notices ctx={ctx} did={isOpen ? profile.did : undefined} />
          {children}
        </Shell>
        {isOpen && (
          <>
            <Command find={searchAction} />
            <Live did={profile.did} now={ctx.now.toISOString()} />
          </>
        )}
      </Toasts>
    </ProfileScope>
  );
}

function adminPlace(pendingAgents: number): Place {
  return {
    href: "/admin",
    label: "Admin",
    icon: "gauge",
    waiting: pendingAgents,
  };
}
