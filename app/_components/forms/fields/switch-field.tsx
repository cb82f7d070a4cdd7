"use client";

import { useFormState } from "../form";

interface SwitchFieldProps {
  name: string;
  label: string;
  hint?: string;
  initial: boolean;
}

/** One thing that is on or off, with what that means. */
export function SwitchField({ name, label, hint, initial }: SwitchFieldProps) {
  const { values } = useFormState();
  // A refused form comes back as it was sent, and a box that is off is not sent.
  const isOn = Object.keys(values).length > 0 ? values[name] !== undefined : initial;
  return (
    <label className="flex items-start justify-between gap-4">
      <span>
        <span className="font-medium">{label}</span>
        {hint !== undefined && <span className="block text-small text-muted">{hint}</span>}
      </span>
      <input
        key={String(isOn)}
        type="checkbox"
        name={name}
        defaultChecked={isOn}
        className="switch mt-0.5 shrink-0"
      />
    </label>
  );
}
