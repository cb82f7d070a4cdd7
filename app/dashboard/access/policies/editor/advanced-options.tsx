import type { ReactNode } from "react";

interface MoreProps {
  title: string;
  /** Something in it is filled in. */
  isOpen: boolean;
  children: ReactNode;
}

/** Options that most rules do not need. Opens without scripts. */
export function AdvancedOptions({ title, isOpen, children }: MoreProps) {
  return (
    <details open={isOpen} className="group/more rounded-box border border-line px-4 py-1">
      <summary className="flex min-h-10 list-none items-center gap-2 font-medium">
        <svg
          viewBox="0 0 12 12"
          className="size-3 shrink-0 group-open/more:rotate-90 motion-safe:transition-transform"
          aria-hidden="true"
        >
          <path d="M4 2.5 8 6 4 9.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
        {title}
      </summary>
      <div className="flex flex-col gap-6 pt-2 pb-4">{children}</div>
    </details>
  );
}
