"use client";

import { type ReactNode, useId } from "react";
import { useFormState } from "./form";

export interface Choice {
  value: string;
  text: string;
}

interface SelectFieldProps {
  name: string;
  label: string;
  choices: readonly Choice[];
  hint?: ReactNode;
  initial?: string;
}

export function SelectField({ name, label, choices, hint, initial }: SelectFieldProps) {
  const id = useId();
  const { issues, values } = useFormState();
  const issue = issues[name];
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const issueId = issue === undefined ? undefined : `${id}-issue`;
  const chosen = values[name] ?? initial;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select
        id={id}
        name={name}
        key={chosen}
        defaultValue={chosen}
        aria-invalid={issue !== undefined}
        aria-describedby={[issueId, hintId].filter(Boolean).join(" ") || undefined}
        className="min-h-10 w-full min-w-0 truncate rounded-box border border-edge bg-surface px-3 text-base aria-invalid:border-danger sm:text-sm"
      >
        {choices.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {issue !== undefined && (
        <p id={issueId} className="text-danger">
          {issue}
        </p>
      )}
      {hint !== undefined && (
        <p id={hintId} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
