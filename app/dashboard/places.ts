import { type Counts, countedMemoriesMax } from "@/lib/services/overview";
import type { Place } from "../_components/shell/nav";

/** The places of the side, in the order of use. */
export function placesWith(counts: Counts | null): Place[][] {
  return [
    [
      { href: "/dashboard", label: "Overview", icon: "house" },
      { href: "/dashboard/proposals", label: "Inbox", icon: "tray", waiting: counts?.proposals },
      {
        href: "/dashboard/access",
        label: "Access requests",
        short: "Requests",
        icon: "hand",
        waiting: counts?.requests,
      },
    ],
    [
      {
        href: "/dashboard/memories",
        label: "Memories",
        icon: "stack",
        holds: counts === null ? undefined : upTo(counts.memories, countedMemoriesMax),
      },
      { href: "/dashboard/agents", label: "Agents", icon: "robot" },
      { href: "/dashboard/access/policies", label: "Rules", icon: "signpost" },
      { href: "/dashboard/connections", label: "Connections", icon: "plugs-connected" },
    ],
    [
      { href: "/dashboard/activity", label: "Activity", icon: "pulse" },
      { href: "/dashboard/settings", label: "Settings", icon: "gear" },
    ],
  ];
}

/** "3,067", or "10,000+" where counting ended. */
function upTo(count: number, max: number): string {
  return `${count.toLocaleString("en")}${count < max ? "" : "+"}`;
}
