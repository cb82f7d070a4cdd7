import type { ReactNode } from "react";

interface AskOnceMoreProps {
  act: string;
  /** What it is done to, read aloud. */
  to?: string;
  children: ReactNode;
}

/** Says what will end, and asks once more. A <details>: it opens before scripts do. */
export function AskOnceMore({ act, to, children }: AskOnceMoreProps) {
  return (
    <details className="group open:basis-full open:rounded-box open:border open:border-danger/40 open:bg-danger-soft">
      <summary className="summary-button border-danger text-danger hover:border-danger hover:bg-danger-soft group-open:border-0 group-open:bg-transparent">
        {act}
        {to !== undefined && <span className="sr-only"> {to}</span>}
        <span className="group-open:hidden">…</span>
      </summary>
      <div className="flex flex-col gap-3 px-4 pb-4">{children}</div>
    </details>
  );
}
