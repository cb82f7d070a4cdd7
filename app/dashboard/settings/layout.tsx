import type { ReactNode } from "react";
import { PageHeader } from "@/app/_components/shell/page-header";
import { pageContext } from "@/lib/http/session/page";
import { SettingsNav } from "./settings-nav";

export default async function SettingsLayout({ children }: { children: ReactNode }) {
  const { who } = await pageContext();
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-col gap-4">
        <PageHeader isPlace title="Settings" />
        <SettingsNav hasProfile={who.profiles.length > 0} />
      </div>
      {children}
    </div>
  );
}
