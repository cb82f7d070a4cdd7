/** What a form shows next; `values` is what was typed, without secrets. */
export interface FormState<Shown = unknown> {
  ok: boolean;
  message: string | null;
  issues: Record<string, string>;
  values: Record<string, string>;
  shown?: Shown;
  undo?: { kind: string; id: string };
  /** What the form asks for beside its fields; null where it was just given. */
  confirm?: Confirmation | null;
}

/** How a person confirms that it is them: by their password, or by signing in again at a provider. */
export type Confirmation = "password" | "sign-in";

// Of submit buttons in forms that may ask for a confirmation. A field of such a name comes later, and wins.
const buttonNames = ["intent", "template", "on", "off", "remove"];

/** The button that a form was sent with, as its name and value; empty where that has no name. */
export function buttonIn(values: FormState["values"]): { name?: string; value?: string } {
  const name = buttonNames.find((one) => values[one] !== undefined);
  return name === undefined ? {} : { name, value: values[name] };
}

export const untouched: FormState<never> = { ok: true, message: null, issues: {}, values: {} };

export const unreachable: FormState<never> = {
  ok: false,
  message: "The gateway could not be reached, so nothing was changed. Try again.",
  issues: {},
  values: {},
};
