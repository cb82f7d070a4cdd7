import type { ReactNode } from "react";

interface TableProps {
  caption: string;
  head: readonly string[];
  /** The first cell names the row. */
  rows: readonly (readonly [string, ...ReactNode[]])[];
  /** Whether the names are words of the protocol. */
  code?: boolean;
}

/** A table that becomes cards on a phone. */
export function Table({ caption, head, rows, code = false }: TableProps) {
  return (
    <table className="w-full border-collapse text-left max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-sm:sr-only">
        <tr>
          {head.map((title) => (
            <th
              key={title}
              scope="col"
              className="border-b border-edge/60 py-2 pr-4 text-small font-medium text-muted"
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:flex max-sm:flex-col max-sm:gap-3">
        {rows.map(([name, ...cells]) => (
          <tr
            key={name}
            className="align-top max-sm:flex max-sm:flex-col max-sm:gap-1 max-sm:rounded-box max-sm:border max-sm:border-line max-sm:bg-surface max-sm:p-3 sm:border-b sm:border-line"
          >
            <th
              scope="row"
              className={`font-medium whitespace-nowrap sm:py-2.5 sm:pr-4 ${code ? "font-mono text-[13px]" : ""}`}
            >
              {name}
            </th>
            {cells.map((cell, index) => (
              <td key={head[index + 1]} className="sm:py-2.5 sm:pr-4">
                {cells.length > 1 && (
                  <span className="text-small text-muted sm:hidden">{head[index + 1]}: </span>
                )}
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
