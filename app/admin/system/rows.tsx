import type { ReactNode } from "react";

interface RowsProps {
  head: string[];
  rows: ReactNode[][];
  none: string;
}

/** A table; on a phone each row is a card of its own. */
export function Rows({ head, rows, none }: RowsProps) {
  if (rows.length === 0) return <p className="text-muted">{none}</p>;
  const keyed = rows.map((cells, place) => ({ cells, place }));
  return (
    <table className="w-full text-left max-sm:block">
      <thead className="text-xs text-muted max-sm:sr-only">
        <tr>
          {head.map((name) => (
            <th key={name} scope="col" className="py-1 pr-4 font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {keyed.map(({ cells, place }) => (
          <tr key={place} className="border-t border-line max-sm:block max-sm:py-2">
            {head.map((name, column) => (
              <td key={name} className="py-1.5 pr-4 align-top wrap-anywhere max-sm:block">
                <span className="text-xs text-muted sm:hidden">{name} </span>
                {cells[column]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
