"use client";

import { useFormState } from "../form";
import { Frame, type Framed } from "./frame";

export interface Choice {
  value: string;
  text: string;
}

interface SelectFieldProps extends Framed {
  choices: readonly Choice[];
  initial?: string;
}

export function SelectField({ name, label, choices, hint, initial }: SelectFieldProps) {
  const chosen = useFormState().values[name] ?? initial;
  return (
    <Frame name={name} label={label} hint={hint}>
      {(control) => (
        <select
          {...control}
          key={chosen}
          defaultValue={chosen}
          className="w-full min-w-0 truncate control"
        >
          {choices.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Frame>
  );
}
