import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { signOutAction } from "@/app/(auth)/actions";
import { pageContext } from "@/lib/http/page";
import type { Who } from "@/lib/services/accounts/sessions";
import { countWaiting, type Waiting } from "@/lib/services/overview";
import { Badge } from "../_components/badge";
import { Button } from "../_components/button";
import { readTheme, type Theme, themeCookie } from "../_components/theme";
import { ThemeSwitch } from "../_components/theme-switch";
import { chooseTheme } from "../theme-action";
import { Nav, type Place } from "./nav";
import { Shell } from "./shell";

export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const { ctx, who } = await pageContext();
  const theme = readTheme((await cookies()).get(themeCookie)?.value);
  const [profile] = who.profiles;
  const waiting = profile === undefined ? null : await countWaiting(ctx, profile.id);
  return (
    <Shell nav={<Nav places={placesWith(waiting)} />} account={<Account who={who} theme={theme} />}>
      {children}
    </Shell>
  );
}

function placesWith(waiting: Waiting | null): Place[] {
  return [
    { href: "/dashboard", label: "Overview" },
    { href: "/dashboard/proposals", label: "Inbox", waiting: waiting?.proposals },
    { href: "/dashboard/access", label: "Access requests", waiting: waiting?.requests },
  ];
}

function Account({ who, theme }: { who: Who; theme: Theme }) {
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <div className="px-3">
        <p className="flex items-center gap-2 font-medium">
          <span className="truncate">{who.name ?? who.email}</span>
          {who.role === "admin" && <Badge>Admin</Badge>}
        </p>
        <p className="truncate text-xs text-muted">{who.email}</p>
      </div>
      <div className="px-3">
        <ThemeSwitch current={theme} choose={chooseTheme} />
      </div>
      <form action={signOutAction}>
        <Button type="submit" look="quiet">
          Sign out
        </Button>
      </form>
    </div>
  );
}
