import type { ReactNode } from "react";
import { adminContext } from "@/lib/http/session/admin";
import { chosenProfile } from "@/lib/http/session/page";
import { countPendingAgents } from "@/lib/services/admin/agents/list-agents";
import { Account } from "../_components/shell/account";
import { readerTheme } from "../_components/shell/reader-theme";
import { Shell } from "../_components/shell/shell";
import { Toasts } from "../_components/toasts/toasts";
import { Notices } from "../dashboard/notices/notices";
import { adminPlaces } from "./places";
import { undoAction } from "./settings/actions";

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const { ctx, who } = await adminContext();
  const did = (await chosenProfile(who))?.did ?? null;
  return (
    <Toasts undo={undoAction}>
      <Shell
        label="Admin"
        places={adminPlaces(await countPendingAgents(ctx))}
        account={<Account {...{ who, did }} theme={await readerTheme()} />}
      >
        <Notices ctx={ctx} />
        {children}
      </Shell>
    </Toasts>
  );
}
