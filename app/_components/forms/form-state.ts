/** The next state of a form, as lib/http/session makes it. `values` holds what the user typed, without secrets. */
export interface FormState<Shown = unknown> {
  ok: boolean;
  message: string | null;
  issues: Record<string, string>;
  values: Record<string, string>;
  shown?: Shown;
  undo?: Undo;
  /** What the form asks for besides its fields; null if it was just confirmed. */
  confirm?: Confirmation | null;
}

/** How a person confirms that it is them: by their password, or by signing in again at a provider. */
export type Confirmation = "password" | "sign-in";

/** Names a change to the server action that undoes it. */
export interface Undo {
  kind: string;
  id: string;
}

export type Action<Shown> = (state: FormState<Shown>, form: FormData) => Promise<FormState<Shown>>;

// Submit buttons of forms that may ask for a confirmation. A later field with one of these names wins.
const buttonNames = ["intent", "template", "on", "off", "remove", "undo"];

/** The button that a form was sent with, as its name and value; empty where that has no name. */
export function buttonIn(values: FormState["values"]): { name?: string; value?: string } {
  const name = buttonNames.find((one) => values[one] !== undefined);
  return name === undefined ? {} : { name, value: values[name] };
}

export const untouched: FormState<never> = { ok: true, message: null, issues: {}, values: {} };

export const unreachable: FormState<never> = {
  ok: false,
  message: "No answer came. Load the page to see whether it was done.",
  issues: {},
  values: {},
};
