"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useFormState } from "../../../../_components/forms/form";
import type { Values } from "./fields";

const Initial = createContext<Values>({});

export function InitialValues({ values, children }: { values: Values; children: ReactNode }) {
  return <Initial value={values}>{children}</Initial>;
}

/** Returns the values to show: after a refusal those that were typed, including emptied fields. */
export function useFormValues(): Values {
  const initial = useContext(Initial);
  const { values } = useFormState();
  return Object.keys(values).length > 0 ? values : initial;
}

interface GroupProps {
  legend: string;
  hint?: string;
  /** The issue that belongs here. */
  name: string;
  children: ReactNode;
}

/** A question of the form, with what is wrong with its answer. */
export function Group({ legend, hint, name, children }: GroupProps) {
  const issue = useFormState().issues[name];
  const id = `${name}-issue`;
  return (
    <fieldset
      aria-describedby={issue === undefined ? undefined : id}
      aria-invalid={issue !== undefined}
      tabIndex={issue === undefined ? undefined : -1}
      className="min-w-0 rounded-box"
    >
      <legend className="font-medium">{legend}</legend>
      {hint !== undefined && <p className="text-xs text-muted">{hint}</p>}
      {issue !== undefined && (
        <p id={id} className="mt-1 text-danger">
          {issue}
        </p>
      )}
      <div className="mt-2 flex flex-col gap-3">{children}</div>
    </fieldset>
  );
}

interface TextProps extends Omit<React.ComponentProps<"input">, "defaultValue" | "id"> {
  name: string;
  label: string;
  hint?: string;
}

/** A line of text; its issue is told by the group it stands in, unless it has one of its own. */
export function Text({ name, label, hint, ...input }: TextProps) {
  const typed = useFormValues();
  const issue = useFormState().issues[name];
  const describedBy = [hint && `${name}-hint`, issue && `${name}-own-issue`]
    .filter(Boolean)
    .join(" ");
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={`field-${name}`}>{label}</label>
      <input
        id={`field-${name}`}
        key={typed[name]}
        name={name}
        defaultValue={typed[name]}
        aria-invalid={issue !== undefined}
        aria-describedby={describedBy || undefined}
        className="min-h-10 w-full rounded-box border border-edge bg-surface px-3 text-base aria-invalid:border-danger sm:text-sm"
        {...input}
      />
      {issue !== undefined && (
        <p id={`${name}-own-issue`} className="text-danger">
          {issue}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${name}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

interface SelectProps {
  name: string;
  label: string;
  options: { value: string; text: string }[];
}

export function Select({ name, label, options }: SelectProps) {
  const typed = useFormValues();
  const issue = useFormState().issues[name];
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={`field-${name}`}>{label}</label>
      <select
        id={`field-${name}`}
        key={typed[name]}
        name={name}
        defaultValue={typed[name]}
        aria-invalid={issue !== undefined}
        aria-describedby={issue === undefined ? undefined : `${name}-own-issue`}
        className="min-h-10 w-full rounded-box border border-edge bg-surface px-3 text-base aria-invalid:border-danger sm:text-sm"
      >
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {issue !== undefined && (
        <p id={`${name}-own-issue`} className="text-danger">
          {issue}
        </p>
      )}
    </div>
  );
}
