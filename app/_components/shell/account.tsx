import Link from "next/link";
import { signOutAction } from "@/app/(auth)/actions";
import { chooseTheme } from "@/app/theme-action";
import { Badge } from "../badge";
import { Button } from "../button";
import type { Theme } from "../theme";
import { ThemeSwitch } from "../theme-switch";

interface AccountProps {
  who: { name: string | null; email: string; role: "user" | "admin" };
  theme: Theme;
}

/** Shows the signed-in user and links to their settings. */
export function Account({ who, theme }: AccountProps) {
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <div className="px-3">
        <p className="flex items-center gap-2 font-medium">
          <span className="truncate">{who.name ?? who.email}</span>
          {who.role === "admin" && (
            <Link href="/admin/agents">
              <Badge>Admin</Badge>
            </Link>
          )}
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
