import Link from "next/link";
import type { ReactNode } from "react";

/** A link among words. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="link">
      {children}
    </Link>
  );
}
