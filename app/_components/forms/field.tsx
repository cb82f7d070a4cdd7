"use client";

import type { ComponentProps } from "react";
import { useFormState } from "./form";
import { Frame, type Framed } from "./frame";

interface FieldProps extends Framed, Omit<ComponentProps<"input">, "id" | "name" | "defaultValue"> {
  initial?: string;
}

export function Field({ name, label, hint, initial, ...input }: FieldProps) {
  const typed = useFormState().values[name];
  return (
    <Frame name={name} label={label} hint={hint}>
      {(control) => (
        <input
          {...control}
          key={typed}
          defaultValue={typed ?? initial}
          className="min-h-10 w-full rounded-box border border-edge bg-surface px-3 text-base aria-invalid:border-danger sm:text-sm"
          {...input}
        />
      )}
    </Frame>
  );
}
