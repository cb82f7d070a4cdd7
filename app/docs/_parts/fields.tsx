import { Mono } from "./markdown/code";
import type { FieldRow } from "./schema";

interface FieldsProps {
  title: string;
  rows: readonly FieldRow[];
  /** Whether it is worth saying which may be left out. */
  isInput?: boolean;
}

/** The members of a body, a query or an answer, one below the other. */
export function Fields({ title, rows, isInput = false }: FieldsProps) {
  if (rows.length === 0) return null;
  return (
    <div>
      <h3 className="mb-2 font-semibold">{title}</h3>
      <dl className="divide-y divide-line rounded-box border border-line bg-surface">
        {rows.map((row) => (
          <div key={row.name} className="flex flex-col gap-1 px-3 py-2.5">
            <dt className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
              <Mono>{row.name}</Mono>
              <span className="text-small text-muted">{row.type}</span>
              {isInput && row.required && (
                <span className="text-small font-medium text-ink">required</span>
              )}
              {!isInput && !row.required && (
                <span className="text-small text-muted">not always there</span>
              )}
            </dt>
            <dd className="max-w-prose text-muted [overflow-wrap:anywhere]">
              <Words>{sentencesOf(row)}</Words>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Descriptions in the schemas mark words of the protocol as Markdown does. */
export function Words({ children }: { children: string }) {
  return children
    .split("`")
    .map((part, index) => (index % 2 === 1 ? <Mono key={part}>{part}</Mono> : part));
}

function sentencesOf({ description, rules }: FieldRow): string {
  const [first = "", ...rest] = rules;
  const all = [description, [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join("; ")];
  return all
    .filter((sentence) => sentence !== "")
    .map((sentence) => (/[.…]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(" ");
}
