import type { ReactNode } from "react";

export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-center rounded-key bg-sunken px-2 py-0.5 text-small font-medium text-ink">
      {children}
    </span>
  );
}
