import type { Place } from "../_components/shell/nav";

/** The places of the admin's side; `waiting` agents wait to be let in. */
export function adminPlaces(waiting: number): Place[][] {
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
      { href: "/admin/outbox", label: "Outbox", icon: "tray" },
      { href: "/admin/backups", label: "Backups", icon: "stack" },
      { href: "/admin/activity", label: "Admin activity", icon: "list-checks" },
    ],
    [{ href: "/dashboard", label: "Your dashboard", icon: "arrow-left" }],
  ];
}
