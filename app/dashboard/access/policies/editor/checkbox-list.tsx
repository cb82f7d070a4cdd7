"use client";

import { Sensitive } from "../../../../_components/shown/sensitive";
import type { Choice } from "./fields";
import { useFormValues } from "./form-values";

interface TicksProps {
  prefix: string;
  choices: Choice[];
}

/** Any of these. */
export function CheckboxList({ prefix, choices }: TicksProps) {
  const typed = useFormValues();
  return (
    <ul className="grid gap-x-6 sm:grid-cols-2">
      {choices.map(({ value, title, note, sensitive }) => {
        const name = `${prefix}${value}`;
        return (
          <li key={value}>
            <label className="flex min-h-10 cursor-pointer items-start gap-3 py-2">
              <input
                key={typed[name]}
                type="checkbox"
                name={name}
                defaultChecked={typed[name] !== undefined}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0">
                <span className="flex flex-wrap items-baseline gap-x-2">
                  <span className="wrap-anywhere" title={value}>
                    {title}
                  </span>
                  {sensitive && <Sensitive />}
                </span>
                {note !== undefined && <span className="block text-xs text-muted">{note}</span>}
              </span>
            </label>
          </li>
        );
      })}
    </ul>
  );
}
