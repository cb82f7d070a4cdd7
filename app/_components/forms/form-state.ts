import type { ActionState } from "@/lib/http/session/action";

export type { ActionState as FormState, Undo } from "@/lib/http/session/action";
export type { Confirmation } from "@/lib/http/session/confirm";

// Submit buttons of forms that may ask for a confirmation. A later field with one of these names wins.
const buttonNames = ["intent", "template", "on", "off", "remove", "undo"];

/** The button that a form was sent with, as its name and value; empty where that has no name. */
export function buttonIn(values: ActionState["values"]): { name?: string; value?: string } {
  const name = buttonNames.find((one) => values[one] !== undefined);
  return name === undefined ? {} : { name, value: values[name] };
}

export const untouched: ActionState<never> = { ok: true, message: null, issues: {}, values: {} };

export const unreachable: ActionState<never> = {
  ok: false,
  message: "No answer came. Load the page to see whether it was done.",
  issues: {},
  values: {},
};
