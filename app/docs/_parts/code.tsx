import { CopyButton } from "../../_components/copy-button";

interface CodeProps {
  title: string;
  children: string;
}

/** It scrolls inside itself, with the keyboard too. */
export function Code({ title, children }: CodeProps) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-box border border-line bg-sunken">
      <figcaption className="flex min-h-10 items-center justify-between gap-3 border-b border-line px-3 text-xs text-muted">
        {title}
        <CopyButton text={children} what={title} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto p-3 font-mono text-xs leading-relaxed outline-offset-[-2px] sm:text-[13px]"
      >
        {children}
      </pre>
    </figure>
  );
}

/** Inside a sentence. */
export function Mono({ children }: { children: string }) {
  return (
    <code className="rounded-box bg-sunken px-1 py-0.5 font-mono text-[0.92em] [overflow-wrap:anywhere]">
      {children}
    </code>
  );
}
