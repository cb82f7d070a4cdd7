"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";

const places = [
  ["/docs", "Start"],
  ["/docs/guide", "Guide"],
  ["/docs/signing", "Signing a request"],
  ["/docs/examples", "Examples"],
  ["/docs/endpoints", "Endpoints"],
  ["/docs/errors", "Errors"],
  ["/docs/limits", "Limits and versions"],
  ["/docs/tokens", "Connection tokens"],
  ["/docs/agents", "Agents and keys"],
  ["/docs/export", "Export and import"],
  ["/docs/dashboard-api", "Dashboard API"],
  ["/docs/admin-api", "Admin API"],
  ["/docs/protocol", "Protocol rules"],
  ["/docs/help", "Help for owners"],
  ["/docs/operations", "Operations"],
] as const;

export function DocsNav() {
  const pathname = usePathname();
  return (
    <nav aria-label="Documentation">
      <ul className="flex flex-col gap-0.5">
        {places.map(([href, label]) => (
          <li key={href}>
            <Link
              href={href}
              aria-current={pathname === href ? "page" : undefined}
              className="flex min-h-9 items-center rounded-box px-3 text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-strong"
            >
              {label}
            </Link>
          </li>
        ))}
        <li>
          <a
            href="/openapi.json"
            className="flex min-h-9 items-center rounded-box px-3 text-muted hover:bg-sunken hover:text-ink"
          >
            OpenAPI 3.1 document
          </a>
        </li>
      </ul>
    </nav>
  );
}
