"use client";

import { type ComponentProps, type ReactNode, useId } from "react";
import { useFormState } from "./form";

interface FieldProps extends Omit<ComponentProps<"input">, "id" | "defaultValue"> {
  name: string;
  label: string;
  hint?: ReactNode;
  initial?: string;
}

export function Field({ name, label, hint, initial, ...input }: FieldProps) {
  const id = useId();
  const { issues, values } = useFormState();
  const issue = issues[name];
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const issueId = issue === undefined ? undefined : `${id}-issue`;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        name={name}
        key={values[name]}
        defaultValue={values[name] ?? initial}
        aria-invalid={issue !== undefined}
        aria-describedby={[issueId, hintId].filter(Boolean).join(" ") || undefined}
        className="min-h-10 w-full rounded-box border border-edge bg-surface px-3 text-base aria-invalid:border-danger sm:text-sm"
        {...input}
      />
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
