"use client";

import { Field } from "../../../_components/forms/field";
import { useFormState } from "../../../_components/forms/form";
import { type Choice, SelectField } from "../../../_components/forms/select-field";

interface CategoryFieldsProps {
  categories: Choice[];
  initial?: string;
}

/** A choice of existing categories, and a field for a new one. */
export function CategoryFields({ categories, initial }: CategoryFieldsProps) {
  const { values, issues } = useFormState();
  const isTyped = (values.typed ?? "") !== "" || issues.typed !== undefined;
  return (
    <div className="flex flex-col gap-2">
      <SelectField name="category" label="Category" choices={categories} initial={initial} />
      <details open={isTyped}>
        <summary className="min-h-6 text-accent underline underline-offset-4">
          A category that is not in the list
        </summary>
        <div className="mt-2">
          <Field
            name="typed"
            label="New category"
            maxLength={200}
            autoComplete="off"
            placeholder="hobbies › bee keeping"
            hint="In words, with › or > between a category and the one below it. An agent that may read a category may read what lies below it too. This goes before the choice above."
          />
        </div>
      </details>
    </div>
  );
}
