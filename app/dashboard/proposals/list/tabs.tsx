import Link from "next/link";
import type { InboxTab } from "@/lib/services/proposals/inbox";
import { type InboxFilter, inboxHref } from "./filter";

interface TabsProps {
  narrowed: InboxFilter;
  counts: Record<InboxTab, number>;
}

const labels: Record<InboxTab, string> = { pending: "Pending", decided: "Decided" };
const tabs = ["pending", "decided"] as const;

export function Tabs({ narrowed, counts }: TabsProps) {
  const { agent, category, search } = narrowed;
  return (
    <nav aria-label="Inbox">
      <ul className="flex gap-6 border-b border-line">
        {tabs.map((tab) => (
          <li key={tab}>
            <Link
              href={inboxHref({ tab, agent, category, search })}
              aria-current={tab === narrowed.tab ? "page" : undefined}
              className="-mb-px flex min-h-10 items-center gap-2 border-b-2 border-transparent text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              {labels[tab]}
              <span className="text-xs text-muted tabular-nums">
                {counts[tab].toLocaleString("en")}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
