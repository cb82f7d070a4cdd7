import type { ReactNode } from "react";

export function Header({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <header>
      <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>
      <p className="mt-1 text-muted">{children}</p>
    </header>
  );
}
