"use client";

import type { ReactNode } from "react";
import { useFormState } from "../form";
import { Frame, type Framed } from "./frame";
import { type Option, Options } from "./options";

interface SelectFieldProps extends Framed {
  choices: readonly Option[];
  initial?: string;
  /** An option after the others. */
  children?: ReactNode;
}

export function SelectField({ name, label, choices, hint, initial, children }: SelectFieldProps) {
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
          <Options choices={choices} chosen={chosen ?? ""} />
          {children}
        </select>
      )}
    </Frame>
  );
}
