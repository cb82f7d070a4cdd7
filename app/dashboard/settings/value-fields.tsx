import { LongField } from "@/app/_components/forms/long-field";
import { SelectField } from "@/app/_components/forms/select-field";
import { typedOf } from "./typed-value";

const kindChoices = [
  { value: "text", text: "Text" },
  { value: "number", text: "Number" },
  { value: "yes-no", text: "Yes or no" },
  { value: "list", text: "List of texts" },
  { value: "json", text: "Nested (JSON)" },
];

/** A value by its kind and its text: the same for preferences and named values. */
export function ValueFields({ value }: { value?: unknown }) {
  const typed = value === undefined ? { kind: "text", text: "" } : typedOf(value);
  return (
    <>
      <SelectField name="kind" label="Kind" choices={kindChoices} initial={typed.kind} />
      <LongField
        name="value"
        label="Value"
        rows={Math.min(12, Math.max(2, typed.text.split("\n").length))}
        initial={typed.text}
        hint="For yes or no, write yes or no. For a list, one text a line."
        className={typed.kind === "json" ? "font-mono" : ""}
      />
    </>
  );
}
