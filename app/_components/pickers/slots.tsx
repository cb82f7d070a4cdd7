"use client";

import { type Option, Options } from "../forms/fields/options";
import { useFormValues, useRefusal } from "./values";

/** A control that stands in a sentence. */
export const slot =
  "control max-w-full field-sizing-content text-lead font-semibold rail:min-h-10 rail:text-title";

interface SelectSlotProps {
  name: string;
  label: string;
  choices: readonly Option[];
  /** Shown until something is chosen. */
  unchosen?: string;
  /** Outside a sentence: how it looks there. */
  look?: string;
}

export function SelectSlot({ name, label, choices, unchosen, look }: SelectSlotProps) {
  const chosen = useFormValues()[name] ?? "";
  return (
    <select
      key={chosen}
      name={name}
      aria-label={label}
      defaultValue={chosen}
      className={look ?? slot}
      {...useRefusal(name)}
    >
      {unchosen !== undefined && <option value="">{unchosen}</option>}
      <Options choices={choices} chosen={chosen} />
    </select>
  );
}

interface TextSlotProps extends Omit<React.ComponentProps<"input">, "defaultValue" | "id"> {
  name: string;
  label: string;
}

/** A short text that belongs to a choice. */
export function TextSlot({ name, label, className = "", ...input }: TextSlotProps) {
  const typed = useFormValues()[name];
  return (
    <label className={`items-center gap-2 ${className}`}>
      <span className="flex-none">{label}</span>
      <input
        key={typed}
        name={name}
        defaultValue={typed}
        autoComplete="off"
        spellCheck={false}
        className="min-w-0 flex-1 control"
        {...useRefusal(name)}
        {...input}
      />
    </label>
  );
}

/** What a rule or a token lets an agent do. */
export const deeds: readonly Option[] = [
  ["never", "may never touch"],
  ["read", "may read"],
  ["propose", "may propose"],
  ["both", "may read and propose"],
];
