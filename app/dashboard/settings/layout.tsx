import type { ReactNode } from "react";
import { pageContext } from "@/lib/http/session/page";
import { SettingsNav } from "./settings-nav";

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const { who } = await pageContext();
  return (
    <div className="flex flex-col gap-8">
      <header className="flex flex-col gap-4">
        <h1 className="text-title font-semibold tracking-tight max-rail:sr-only">Settings</h1>
        <SettingsNav hasProfile={who.profiles.length > 0} />
      </header>
      {children}
    </div>
  );
}
