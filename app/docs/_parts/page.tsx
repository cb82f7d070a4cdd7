import type { ReactNode } from "react";

interface PageProps {
  title: string;
  lead: ReactNode;
  children: ReactNode;
}

export function Page({ title, lead, children }: PageProps) {
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight sm:text-3xl">{title}</h1>
      <p className="mt-3 max-w-prose text-base text-muted">{lead}</p>
      {children}
    </>
  );
}

interface SectionProps {
  id: string;
  title: string;
  children: ReactNode;
}

export function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="mt-12 flex flex-col gap-4">
      <h2 id={id} className="scroll-mt-6 text-lg font-semibold tracking-tight">
        {title}
      </h2>
      {children}
    </section>
  );
}

export function Text({ children }: { children: ReactNode }) {
  return <p className="max-w-prose">{children}</p>;
}
