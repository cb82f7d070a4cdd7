"use client";

import { type ComponentProps, type ReactNode, useId } from "react";
import { useFormState } from "./form";

interface LongFieldProps extends Omit<ComponentProps<"textarea">, "id" | "defaultValue"> {
  name: string;
  label: string;
  hint?: ReactNode;
  initial?: string;
}

/** A field of several lines. */
export function LongField({ name, label, hint, initial, className = "", ...area }: LongFieldProps) {
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
      <textarea
        id={id}
        name={name}
        key={values[name]}
        defaultValue={values[name] ?? initial}
        aria-invalid={issue !== undefined}
        aria-describedby={[issueId, hintId].filter(Boolean).join(" ") || undefined}
        className={`w-full rounded-box border border-edge bg-surface px-3 py-2 text-base aria-invalid:border-danger sm:text-sm ${className}`}
        {...area}
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
