import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { adminContext } from "@/lib/http/session/admin";
import { countPendingAgents } from "@/lib/services/admin/agents/list-agents";
import { Account } from "../_components/shell/account";
import { Nav, type Place } from "../_components/shell/nav";
import { Shell } from "../_components/shell/shell";
import { readTheme, themeCookie } from "../_components/theme";
import { Toasts } from "../_components/toasts/toasts";
import { Notices } from "../dashboard/notices/notices";
import { undoAction } from "./undo/actions";

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const { ctx, who } = await adminContext();
  const theme = readTheme((await cookies()).get(themeCookie)?.value);
  const groups = placesWith(await countPendingAgents(ctx));
  return (
    <Toasts undo={undoAction}>
      <Shell
        nav={<Nav label="Admin" groups={groups} />}
        account={<Account who={who} theme={theme} />}
      >
        <Notices ctx={ctx} />
        {children}
      </Shell>
    </Toasts>
  );
}

function placesWith(pendingAgents: number): Place[][] {
  return [
    [
      { href: "/admin/agents", label: "Agents", waiting: pendingAgents },
      { href: "/admin/users", label: "Users" },
      { href: "/admin/profiles", label: "Profiles" },
    ],
    [
      { href: "/admin/settings", label: "Settings" },
      { href: "/admin/system", label: "System" },
      { href: "/admin/activity", label: "Admin activity" },
    ],
    [{ href: "/dashboard", label: "Back to your dashboard" }],
  ];
}
