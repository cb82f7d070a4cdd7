import { Field } from "@/app/_components/forms/fields/field";
import { HandleField } from "@/app/_components/forms/fields/handle-field";
import { defaultTemplate, templates } from "@/lib/rules/templates";

export function NewProfileFields({ namespace }: { namespace: string }) {
  return (
    <>
      <Field name="name" label="Display name" maxLength={100} required />
      <HandleField namespace={namespace} />
      <Templates />
    </>
  );
}

function Templates() {
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-medium">Rules to start from</legend>
      {Object.entries(templates).map(([name, { title, summary }]) => (
        <label key={name} className="flex items-start gap-3">
          <input
            type="radio"
            name="template"
            value={name}
            defaultChecked={name === defaultTemplate}
            className="mt-1 size-4 shrink-0 accent-ink"
          />
          <span>
            {title}
            <span className="block text-small text-muted">{summary}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
