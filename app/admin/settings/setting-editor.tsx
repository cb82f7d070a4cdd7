"use client";

import { useId } from "react";
import { Button } from "../../_components/button";
import { Field } from "../../_components/forms/field";
import { Form, SubmitButton, useFormState } from "../../_components/forms/form";
import { resetSettingAction, settingAction } from "./actions";

interface SettingEditorProps {
  name: string;
  value: string;
  title: string;
  hint: string;
  choices?: { value: string; title: string }[];
}

export function SettingEditor({ name, value, title, hint, choices }: SettingEditorProps) {
  return (
    <Form action={settingAction} className="flex flex-col gap-3">
      <input type="hidden" name="name" value={name} />
      {choices === undefined ? (
        <Field name="value" label={title} hint={hint} initial={value} autoComplete="off" />
      ) : (
        <Choice title={title} hint={hint} value={value} choices={choices} />
      )}
      <SubmitButton look="secondary">Change</SubmitButton>
    </Form>
  );
}

interface ChoiceProps {
  title: string;
  hint: string;
  value: string;
  choices: { value: string; title: string }[];
}

function Choice({ title, hint, value, choices }: ChoiceProps) {
  const id = useId();
  const { values } = useFormState();
  const shown = values.value ?? value;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {title}
      </label>
      <select
        id={id}
        name="value"
        key={shown}
        defaultValue={shown}
        aria-describedby={`${id}-hint`}
        className="min-h-10 rounded-box border border-edge bg-surface px-3 text-base sm:text-sm"
      >
        {choices.map((one) => (
          <option key={one.value} value={one.value}>
            {one.title}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className="text-xs text-muted">
        {hint}
      </p>
    </div>
  );
}

export function ResetSetting({ name }: { name: string }) {
  return (
    <Form action={resetSettingAction} className="mt-3">
      <input type="hidden" name="name" value={name} />
      <SubmitButton look="quiet">Back to the configuration's word</SubmitButton>
    </Form>
  );
}

export function TakeBackButton({ title }: { title: string }) {
  return (
    <Button type="submit" look="secondary">
      Take back<span className="sr-only"> the last change of {title}</span>
    </Button>
  );
}
