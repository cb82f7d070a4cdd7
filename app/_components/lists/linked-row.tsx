import Link from "next/link";
import type { ReactNode } from "react";

interface LinkedRowProps {
  href: string;
  /** Before the title. */
  picture?: ReactNode;
  title: ReactNode;
  /** Beside the title: what is not as usual. */
  state?: ReactNode;
  children: ReactNode;
}

/** A row that leads to the page of what it is about. */
export function LinkedRow({ href, picture, title, state, children }: LinkedRowProps) {
  return (
    <li className="relative flex items-center gap-3.5 px-4 py-2.5 hover:bg-sunken">
      {picture}
      <div className="min-w-0 flex-1">
        <h2 className="flex flex-wrap items-baseline gap-x-2 text-base">
          <Link
            href={href}
            prefetch={false}
            className="min-w-0 font-semibold wrap-anywhere after:absolute after:inset-0"
          >
            {title}
          </Link>
          {state}
        </h2>
        <div className="text-small wrap-anywhere text-muted">{children}</div>
      </div>
    </li>
  );
}
