"use client";

import { SelectField } from "../../../../_components/forms/fields/select-field";
import { Form, useFormState } from "../../../../_components/forms/form";
import { Caret } from "../../../../_components/icon";
import { startApprovingAction } from "./actions";
import { confidences, kindPrefix, lives, uses } from "./choices";

interface StartFormProps {
  agentDid: string;
  kinds: readonly { category: string; title: string }[];
  isOpen: boolean;
}

/** Nothing is chosen beforehand but the bounds. */
export function StartForm({ agentDid, kinds, isOpen }: StartFormProps) {
  return (
    <details open={isOpen} className="group box px-4 py-1">
      <summary className="flex min-h-11 list-none items-center gap-2 font-medium">
        <Caret />
        Let the gateway approve some of it
      </summary>
      <div className="mt-1 mb-2">
        <Form action={startApprovingAction} submit="Approve these without me">
          <input type="hidden" name="agentDid" value={agentDid} />
          <Kinds kinds={kinds} />
          <div className="grid gap-4 rail:grid-cols-3">
            <SelectField name="confidence" label="If it is" choices={confidences} initial="0.8" />
            <SelectField name="days" label="For" choices={lives} initial="30" />
            <SelectField name="uses" label="At most" choices={uses} initial="100" />
          </div>
          <p className="text-small text-muted">
            What is flagged, proposed in a sensitive category, like something that you have or like
            something that you rejected still waits for you. You can undo all that was approved in
            one act. By what is approved at once, the agent can tell whether you keep something like
            it.
          </p>
        </Form>
      </div>
    </details>
  );
}

function Kinds({ kinds }: Pick<StartFormProps, "kinds">) {
  const { values, issues } = useFormState();
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">About</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,14rem),1fr))] gap-x-4">
        {kinds.map(({ category, title }) => {
          const name = `${kindPrefix}${category}`;
          return (
            <label key={category} className="flex min-h-11 items-center gap-2.5 wrap-anywhere">
              <input
                key={values[name]}
                type="checkbox"
                name={name}
                defaultChecked={values[name] !== undefined}
                className="switch"
              />
              {title}
            </label>
          );
        })}
      </div>
      {issues.categories !== undefined && (
        <p role="alert" className="text-danger">
          {issues.categories}
        </p>
      )}
    </fieldset>
  );
}
