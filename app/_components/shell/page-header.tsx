import Link from "next/link";
import type { ReactNode } from "react";

/**
 * Page header; `above` is the list that the page belongs to. A place of the navigation is named by the head of a
 * phone already.
 */
export function PageHeader({
  above,
  isPlace,
  title,
  children,
}: {
  isPlace?: boolean;
  above?: { href: string; name: string };
  title: ReactNode;
  children?: ReactNode;
}) {
  return (
    <header className={isPlace ? "not-print:max-rail:contents" : ""}>
      {above !== undefined && <UpLink href={above.href}>{above.name}</UpLink>}
      <h1
        className={`text-title font-semibold tracking-tight wrap-anywhere ${isPlace ? "not-print:max-rail:sr-only" : ""}`}
      >
        {title}
      </h1>
      {children !== undefined && (
        <div
          className={`mt-1 text-muted ${isPlace ? "not-print:max-rail:not-focus-within:sr-only" : ""}`}
        >
          {children}
        </div>
      )}
    </header>
  );
}

export function UpLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="mb-1 inline-flex min-h-6 items-center link">
      {children}
    </Link>
  );
}
