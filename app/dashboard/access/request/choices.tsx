"use client";

import { Sensitive } from "../../../_components/shown/sensitive";

export interface Switch {
  /** The name of the form's field. */
  name: string;
  scope: string;
  title: string;
  sensitive: boolean;
}

export interface Choice {
  value: string;
  title: string;
  note: string;
}

interface GroupProps {
  values: Record<string, string>;
  issue: string | undefined;
}

/** The scopes to choose from; all start switched off. */
export function Switches({ switches, values, issue }: GroupProps & { switches: Switch[] }) {
  return (
    <fieldset data-missing={issue === undefined ? undefined : true}>
      <legend className="mb-2 font-medium">What it may read</legend>
      <ul className="flex flex-col divide-y divide-line rounded-box border border-line">
        {switches.map(({ name, scope, title, sensitive }) => (
          <li key={scope}>
            <label className="flex min-h-12 cursor-pointer items-center justify-between gap-4 px-3 py-2">
              <span className="min-w-0">
                <span className="flex flex-wrap items-baseline gap-x-2">
                  <span className="font-medium wrap-anywhere">{title}</span>
                  {sensitive && <Sensitive />}
                </span>
                <span className="block font-mono text-xs wrap-anywhere text-muted">{scope}</span>
              </span>
              <input
                key={values[name]}
                type="checkbox"
                name={name}
                value={scope}
                defaultChecked={values[name] !== undefined}
                className="relative h-6 w-10 shrink-0 cursor-pointer appearance-none rounded-full border border-edge bg-sunken before:absolute before:top-1 before:left-1 before:size-3.5 before:rounded-full before:bg-edge checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-on-accent motion-safe:transition-colors motion-safe:before:transition-transform"
              />
            </label>
          </li>
        ))}
      </ul>
      {issue !== undefined && <p className="mt-2 text-danger">{issue}</p>}
    </fieldset>
  );
}

/** For how long. */
export function Lifetime({ choices, values, issue }: GroupProps & { choices: Choice[] }) {
  return (
    <fieldset data-missing={issue === undefined ? undefined : true}>
      <legend className="mb-2 font-medium">For how long</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map(({ value, title, note }) => (
          <label
            key={value}
            className="flex cursor-pointer items-start gap-3 rounded-box border border-line px-3 py-2 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              key={String(values.choice === value)}
              type="radio"
              name="choice"
              value={value}
              defaultChecked={values.choice === value}
              className="mt-1 size-3.5 shrink-0 accent-accent"
            />
            <span>
              <span className="block font-medium">{title}</span>
              <span className="block text-xs text-muted">{note}</span>
            </span>
          </label>
        ))}
      </div>
      {issue !== undefined && <p className="mt-2 text-danger">{issue}</p>}
    </fieldset>
  );
}
