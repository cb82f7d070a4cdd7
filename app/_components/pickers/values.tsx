"use client";

import { createContext, type ReactNode, useContext } from "react";
import { useFormState } from "../forms/form";

export type Values = Readonly<Record<string, string>>;

const Initial = createContext<Values>({});

export function InitialValues({ values, children }: { values: Values; children: ReactNode }) {
  return <Initial value={values}>{children}</Initial>;
}

/** Returns the values to show: after a refusal those that were sent, including emptied fields. */
export function useFormValues(): Values {
  const initial = useContext(Initial);
  const { values } = useFormState();
  return Object.keys(values).length > 0 ? values : initial;
}

/** Marks a slot that was refused; `Issues` below the sentence says why. */
export function useRefusal(name: string) {
  const isRefused = useFormState().issues[name] !== undefined;
  return {
    "aria-invalid": isRefused,
    "aria-describedby": isRefused ? `${name}-issue` : undefined,
  };
}

/** What is wrong with the slots of a sentence. */
export function Issues({ names }: { names: readonly string[] }) {
  const { issues } = useFormState();
  const wrong = names.filter((name) => issues[name] !== undefined);
  return (
    <ul className="text-danger empty:hidden">
      {wrong.map((name) => (
        <li key={name} id={`${name}-issue`}>
          {issues[name]}
        </li>
      ))}
    </ul>
  );
}
