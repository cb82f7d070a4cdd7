"use client";

import { type ComponentProps, useState } from "react";
import { Icon } from "../../icon";
import { useFormState } from "../form";
import { Frame, type Framed } from "./frame";

interface PasswordFieldProps extends Framed, Omit<ComponentProps<"input">, "id" | "name" | "type"> {
  hint?: string;
}

const again = "Type it again: a password is never sent back.";

/** A password, hidden until its writer wants to see it. */
export function PasswordField({ name, label, hint, ...input }: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  const { ok } = useFormState();
  return (
    <Frame name={name} label={label} hint={ok ? hint : [again, hint].filter(Boolean).join(" ")}>
      {(control) => (
        <span className="relative flex">
          <input
            {...control}
            type={isShown ? "text" : "password"}
            data-secret
            autoCapitalize="none"
            spellCheck={false}
            className="w-full control pr-12"
            {...input}
          />
          <button
            type="button"
            aria-label="Show what is typed"
            title="Show what is typed"
            aria-pressed={isShown}
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-0 hidden w-11 items-center justify-center rounded-control text-muted hover:text-ink scripting:inline-flex"
          >
            <Icon icon={isShown ? "eye-slash" : "eye"} />
          </button>
        </span>
      )}
    </Frame>
  );
}
