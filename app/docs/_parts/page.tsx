import type { ReactNode } from "react";
import { Contents, type ContentsEntry } from "./contents";

interface PageProps {
  title: string;
  lead: ReactNode;
  /** The sections of the page; a page of one has no contents. */
  contents: readonly ContentsEntry[];
  children: ReactNode;
}

export function Page({ title, lead, contents, children }: PageProps) {
  const hasContents = contents.length > 1;
  return (
    <div className="full:grid full:grid-cols-[minmax(0,1fr)_208px] full:gap-10">
      <article className="min-w-0">
        <h1 className="text-title font-semibold tracking-tight rail:text-claim">{title}</h1>
        <p className="mt-3 max-w-prose text-lead text-muted">{lead}</p>
        {hasContents && (
          <details className="group mt-6 box full:hidden print:hidden">
            <summary className="flex min-h-11 list-none items-center justify-between gap-3 px-4 font-semibold">
              On this page
              <span className="text-small font-normal text-muted group-open:hidden">Show</span>
              <span className="hidden text-small font-normal text-muted group-open:inline">
                Hide
              </span>
            </summary>
            <div className="border-t border-line px-4 py-2">
              <Contents entries={contents} />
            </div>
          </details>
        )}
        {children}
      </article>
      {hasContents && (
        <div className="hidden full:block print:hidden">
          <div className="sticky top-0 -mr-4 max-h-dvh overflow-y-auto py-10 pr-4">
            <p className="mb-2 text-small font-semibold">On this page</p>
            <Contents entries={contents} />
          </div>
        </div>
      )}
    </div>
  );
}

interface SectionProps {
  id: string;
  title: string;
  children: ReactNode;
}

export function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="mt-10 flex flex-col gap-4">
      <h2 id={id} className="scroll-mt-6 text-lead font-semibold tracking-tight">
        <HeadingLink id={id}>{title}</HeadingLink>
      </h2>
      {children}
    </section>
  );
}

/** A heading that is a link to itself, so that its address can be copied. */
export function HeadingLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <a href={`#${id}`} className="hover:underline hover:decoration-edge hover:underline-offset-3">
      {children}
    </a>
  );
}

export function Text({ children }: { children: ReactNode }) {
  return <p className="max-w-prose">{children}</p>;
}
