import { signOutAction } from "@/app/(auth)/actions";
import { chooseTheme } from "@/app/theme-action";
import { Button } from "../button";
import { Icon } from "../icon";
import { Identicon } from "../shown/identicon";
import { HelpLink } from "./help-link";
import type { Theme } from "./theme";
import { ThemeSwitch } from "./theme-switch";

interface AccountProps {
  who: { name: string | null; email: string; role: "user" | "admin" };
  /** Draws their picture; the address does where there is no profile. */
  did: string | null;
  theme: Theme;
}

/** Help, the signed-in user, and what is theirs to set. A <details> opens without scripts. */
export function Account({ who, did, theme }: AccountProps) {
  return (
    <div className="flex flex-col gap-1">
      <HelpLink />
      <details className="group/account relative">
        <summary
          title="Account and theme"
          className="flex min-h-12 list-none items-center gap-2.5 rounded-control px-2 py-1.5 hover:bg-sunken rail:max-full:justify-center rail:max-full:px-0"
        >
          <Identicon did={did ?? who.email} className="size-8" />
          <span className="min-w-0 flex-1 leading-5 rail:max-full:sr-only">
            <span className="block truncate font-semibold">{who.name ?? who.email}</span>
            <span className="block text-small text-muted">
              {who.role === "admin" ? "Admin" : "Owner"}
            </span>
            <span className="sr-only">Account and theme</span>
          </span>
          <Icon icon="caret-up-down-bold" className="size-5 text-muted rail:max-full:hidden" />
        </summary>
        <div className="mt-2 flex flex-col gap-3 rounded-control border border-edge bg-lifted p-3 shadow-float rail:absolute rail:bottom-full rail:left-0 rail:z-20 rail:mb-2 rail:w-56">
          <p className="truncate text-small text-muted">{who.email}</p>
          <ThemeSwitch current={theme} choose={chooseTheme} />
          <form action={signOutAction}>
            <Button type="submit" look="quiet" className="-ml-2">
              <Icon icon="sign-out" />
              Sign out
            </Button>
          </form>
        </div>
      </details>
    </div>
  );
}
