import type { ReactNode } from "react";

interface EmptyProps {
  title: string;
  children: ReactNode;
}

/** Explains what this page is for, and the first step to take. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="rounded-box border border-dashed border-edge/60 px-5 py-8 text-center sm:px-6">
      <h2 className="text-lead font-semibold">{title}</h2>
      <div className="mx-auto mt-2 max-w-prose text-muted">{children}</div>
    </div>
  );
}
