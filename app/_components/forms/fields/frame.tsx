"use client";

import { type ReactNode, useId } from "react";
import { useFormState } from "../form";

export interface Framed {
  name: string;
  label: string;
  hint?: ReactNode;
}

interface Control {
  id: string;
  name: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

/** The label before a control, and behind it what is wrong with it and a hint. */
export function Frame({
  name,
  label,
  hint,
  children,
}: Framed & { children: (control: Control) => ReactNode }) {
  const id = useId();
  const issue = useFormState().issues[name];
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const issueId = issue === undefined ? undefined : `${id}-issue`;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        name,
        "aria-invalid": issue !== undefined,
        "aria-describedby": [issueId, hintId].filter(Boolean).join(" ") || undefined,
      })}
      {issue !== undefined && (
        <p id={issueId} className="text-danger">
          {issue}
        </p>
      )}
      {hint !== undefined && (
        <p id={hintId} className="text-small text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
