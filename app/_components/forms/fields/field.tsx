"use client";

import type { ComponentProps } from "react";
import { useFormState } from "../form";
import { Frame, type Framed } from "./frame";

interface FieldProps extends Framed, Omit<ComponentProps<"input">, "id" | "name" | "defaultValue"> {
  initial?: string;
  /** Whether it is typed letter by letter, as a name for machines: no browser completes or corrects it. */
  exact?: boolean;
}

const exactly = { autoComplete: "off", autoCapitalize: "none", spellCheck: false };

export function Field({ name, label, hint, initial, exact = false, ...input }: FieldProps) {
  const typed = useFormState().values[name];
  return (
    <Frame name={name} label={label} hint={hint}>
      {(control) => (
        <input
          {...control}
          key={typed}
          defaultValue={typed ?? initial}
          className="w-full control"
          {...(exact && exactly)}
          {...input}
        />
      )}
    </Frame>
  );
}
