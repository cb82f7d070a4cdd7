"use client";

import { useId } from "react";
import { useFormState } from "./form";

interface ChoiceProps {
  name: string;
  label: string;
  choices: readonly { value: string; text: string }[];
  initial?: string;
}

/** One of a few, in a list that opens. */
export function Choice({ name, label, choices, initial }: ChoiceProps) {
  const id = useId();
  const { values } = useFormState();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <select
        id={id}
        name={name}
        key={values[name]}
        defaultValue={values[name] ?? initial}
        className="min-h-10 w-full rounded-box border border-edge bg-surface px-3 text-base sm:text-sm"
      >
        {choices.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
