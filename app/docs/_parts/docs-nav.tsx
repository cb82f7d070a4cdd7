"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { docsHref, docsLink, docsNames, docsPages } from "./docs-pages";

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
              className={docsLink}
            >
              {docsPages[name]}
            </Link>
          </li>
        ))}
        <li>
          <a href="/openapi.json" className={docsLink}>
            OpenAPI 3.1 document
          </a>
        </li>
      </ul>
    </nav>
  );
}
