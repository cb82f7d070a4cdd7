"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { docsHref, docsNames, docsPages } from "./docs-pages";

const look =
  "flex min-h-11 items-center rounded-control px-2.5 font-medium text-muted hover:bg-sunken hover:text-ink aria-[current=page]:bg-sunken aria-[current=page]:font-semibold aria-[current=page]:text-ink rail:min-h-8";

export function DocsNav() {
  const pathname = usePathname();
  return (
    <nav aria-label="Documentation">
      <ul className="flex flex-col gap-0.5">
        {docsNames.map((name) => (
          <li key={name}>
            <Link
              href={docsHref(name)}
              aria-current={pathname === docsHref(name) ? "page" : undefined}
              className={look}
            >
              {docsPages[name]}
            </Link>
          </li>
        ))}
        <li>
          <a href="/openapi.json" className={look}>
            OpenAPI 3.1 document
          </a>
        </li>
        <li className="mt-2 border-t border-line pt-2">
          <Link href="/dashboard" className={look}>
            Your dashboard
          </Link>
        </li>
      </ul>
    </nav>
  );
}
