import type { ReactNode } from "react";
import { Brand } from "../brand";

/** A page with the brand and nothing else around it. */
export function BarePage({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-140 flex-col px-4 py-6 sm:py-10">
      <header className="mb-10 sm:mb-14">
        <Brand href="/" />
      </header>
      <main className="flex-1">{children}</main>
    </div>
  );
}
