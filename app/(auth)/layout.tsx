import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Brand } from "../_components/brand";
import { readTheme, themeCookie } from "../_components/theme";
import { ThemeSwitch } from "../_components/theme-switch";
import { chooseTheme } from "../theme-action";

export default async function AuthLayout({ children }: { children: ReactNode }) {
  const theme = readTheme((await cookies()).get(themeCookie)?.value);
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-105 flex-col px-4 py-6 sm:py-10">
      <header className="mb-10 sm:mb-14">
        <Brand href="/" />
      </header>
      <main className="flex-1">{children}</main>
      <footer className="mt-12">
        <ThemeSwitch current={theme} choose={chooseTheme} />
      </footer>
    </div>
  );
}
