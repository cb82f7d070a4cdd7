import type { ReactNode } from "react";

export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-center rounded-box bg-accent-soft px-2 py-0.5 text-xs font-medium text-accent-strong">
      {children}
    </span>
  );
}
