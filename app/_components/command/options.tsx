"use client";

import Link from "next/link";
import { useEffect } from "react";
import { Key } from "../key";
import { type FoundGroup, type FoundRow, RowWords } from "./rows";

interface OptionsProps {
  id: string;
  groups: FoundGroup[];
  chosen: FoundRow | undefined;
  words: string;
  shut: () => void;
}

/** The list of a combobox: the focus stays in its field. */
export function Options({ id, groups, chosen, words, shut }: OptionsProps) {
  const rows = groups.flatMap((group) => group.rows);
  const current = chosen && `${id}-${rows.indexOf(chosen)}`;
  useEffect(() => {
    if (current) document.getElementById(current)?.scrollIntoView({ block: "nearest" });
  }, [current]);
  return (
    <div
      id={id}
      role="listbox"
      aria-label="What was found"
      className="min-h-0 flex-1 overflow-y-auto px-2 pb-2 empty:hidden"
    >
      {groups.map(({ name, rows: own }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list of options
        <div key={name} role="group" aria-label={name}>
          <p aria-hidden="true" className="px-3 pt-2.5 pb-1 text-small font-semibold text-muted">
            {name}
          </p>
          {own.map((row) => (
            <Link
              key={row.href}
              id={`${id}-${rows.indexOf(row)}`}
              role="option"
              aria-selected={row === chosen}
              tabIndex={-1}
              href={row.href}
              prefetch={false}
              onClick={shut}
              className="flex min-h-12 items-center gap-3 rounded-control px-3 hover:bg-sunken aria-selected:bg-line aria-selected:font-semibold rail:min-h-10 forced-colors:aria-selected:outline-2"
            >
              <RowWords row={row} words={words} />
              {row === chosen && <Key isMain>Enter</Key>}
            </Link>
          ))}
        </div>
      ))}
    </div>
  );
}
