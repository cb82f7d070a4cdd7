"use client";

import type { ComponentProps } from "react";
import { useFormState } from "../form";
import { Frame, type Framed } from "./frame";

interface LongFieldProps
  extends Framed,
    Omit<ComponentProps<"textarea">, "id" | "name" | "defaultValue"> {
  initial?: string;
}

/** A field of several lines. */
export function LongField({ name, label, hint, initial, className = "", ...area }: LongFieldProps) {
  const typed = useFormState().values[name];
  return (
    <Frame name={name} label={label} hint={hint}>
      {(control) => (
        <textarea
          {...control}
          key={typed}
          defaultValue={typed ?? initial}
          className={`w-full control ${className}`}
          {...area}
        />
      )}
    </Frame>
  );
}
