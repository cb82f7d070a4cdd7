import type { ReactNode } from "react";
import { adminContext } from "@/lib/http/session/admin";
import { countPendingAgents } from "@/lib/services/admin/agents/list-agents";
import { Account } from "../_components/shell/account";
import type { Place } from "../_components/shell/nav";
import { readerTheme } from "../_components/shell/reader-theme";
import { Shell } from "../_components/shell/shell";
import { Toasts } from "../_components/toasts/toasts";
import { Notices } from "../dashboard/notices/notices";
import { undoAction } from "./settings/actions";

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const { ctx, who } = await adminContext();
  return (
    <Toasts undo={undoAction}>
      <Shell
        label="Admin"
        places={placesWith(await countPendingAgents(ctx))}
        account={<Account who={who} did={null} theme={await readerTheme()} />}
      >
        <Notices ctx={ctx} />
        {children}
      </Shell>
    </Toasts>
  );
}

function placesWith(waiting: number): Place[][] {
  return [
    [
      { href: "/admin", label: "Overview", icon: "gauge" },
      { href: "/admin/agents", label: "Agents", icon: "robot", waiting },
      { href: "/admin/users", label: "People", icon: "users" },
      { href: "/admin/profiles", label: "Profiles", icon: "user-circle" },
      { href: "/admin/settings", label: "Settings", icon: "gear" },
    ],
    [
      { href: "/admin/system", label: "System", icon: "pulse" },
      { href: "/admin/activity", label: "Admin activity", icon: "list-checks" },
    ],
    [{ href: "/dashboard", label: "Your dashboard", icon: "arrow-left" }],
  ];
}
