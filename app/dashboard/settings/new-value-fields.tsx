import { LongField } from "@/app/_components/forms/fields/long-field";
import type { Option } from "@/app/_components/forms/fields/options";
import { SelectField } from "@/app/_components/forms/fields/select-field";

const kindChoices: Option[] = [
  ["text", "Text"],
  ["number", "Number"],
  ["yes-no", "Yes or no"],
  ["list", "List"],
  ["fields", "Several fields"],
];

export const answers: Option[] = [
  ["yes", "Yes"],
  ["no", "No"],
];

/** A new value: its kind, and the field that fits it. */
export function NewValueFields() {
  return (
    <div className="group/kind flex flex-col gap-4">
      <SelectField name="kind" label="Kind" choices={kindChoices} />
      <div className="group-has-[[value=yes-no]:checked]/kind:hidden">
        <LongField
          name="value"
          label="Value"
          rows={2}
          hint="A list has one text a line; several fields have one a line, such as diet: vegetarian."
        />
      </div>
      <div className="hidden group-has-[[value=yes-no]:checked]/kind:block">
        <SelectField name="answer" label="Answer" choices={answers} />
      </div>
    </div>
  );
}
