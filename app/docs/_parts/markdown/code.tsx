import { CopyButton } from "../../../_components/copy-button";
import { highlighted } from "./highlight";

interface CodeProps {
  title: string;
  language?: string;
  children: string;
}

const looks = {
  plain: undefined,
  note: "text-muted italic",
  name: "text-chart-2",
  text: "text-chart-4",
  value: "text-chart-5",
  word: "text-chart-6",
};

/** It scrolls inside itself, with the keyboard too. */
export function Code({ title, language = "", children }: CodeProps) {
  return (
    <figure className="min-w-0 overflow-hidden rounded-box border border-line bg-surface">
      <figcaption className="flex min-h-10 items-center justify-between gap-3 border-b border-line bg-sunken px-3 text-small text-muted">
        {title}
        <CopyButton text={children} what={title} />
      </figcaption>
      {/* biome-ignore lint/a11y/useSemanticElements: no fields are grouped */}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        role="group"
        aria-label={title}
        className="overflow-x-auto p-3 font-mono text-small leading-relaxed outline-offset-[-2px] sm:text-[13px]"
      >
        {highlighted(children, language).map(({ kind, at, text }) => (
          <span key={at} className={looks[kind]}>
            {text}
          </span>
        ))}
      </pre>
    </figure>
  );
}

/** Inside a sentence. */
export function Mono({ children }: { children: string }) {
  return (
    <code className="rounded-key bg-sunken px-1 py-0.5 font-mono text-[0.92em] [overflow-wrap:anywhere]">
      {children}
    </code>
  );
}
