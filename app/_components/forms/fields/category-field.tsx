"use client";

import { Field } from "./field";
import type { Option } from "./options";
import { SelectField } from "./select-field";

interface CategoryFieldProps {
  /** See category-options.ts. */
  choices: readonly Option[];
  initial?: string;
}

/** A choice of categories; the last choice opens a field for a new one. See category-input.ts. */
export function CategoryField({ choices, initial }: CategoryFieldProps) {
  return (
    <div className="group/category flex flex-col gap-3">
      <SelectField name="category" label="Category" choices={choices} initial={initial}>
        <option value="">Another…</option>
      </SelectField>
      <div className="hidden group-has-[option:last-child:checked]/category:block">
        <Field
          name="typed"
          label="New category"
          maxLength={200}
          autoComplete="off"
          placeholder="hobbies › bee keeping"
          hint="In words, with › or > between a category and the one below it. An agent that may read a category may read what lies below it too."
        />
      </div>
    </div>
  );
}
