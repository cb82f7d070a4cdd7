import { LongField } from "@/app/_components/forms/fields/long-field";
import { SelectField } from "@/app/_components/forms/fields/select-field";

const kindChoices = [
  { value: "text", text: "Text" },
  { value: "number", text: "Number" },
  { value: "yes-no", text: "Yes or no" },
  { value: "list", text: "List" },
  { value: "fields", text: "Several fields" },
];

export const answers = [
  { value: "yes", text: "Yes" },
  { value: "no", text: "No" },
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
