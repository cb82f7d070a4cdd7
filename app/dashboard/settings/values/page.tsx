import type { Metadata } from "next";
import { Card } from "@/app/_components/card";
import { Empty } from "@/app/_components/empty";
import { Field } from "@/app/_components/forms/field";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { CategoryChip } from "@/app/_components/shown/category-chip";
import { categoryTitle } from "@/app/_components/words/category";
import { profileContext } from "@/lib/http/session/page";
import { type OwnNamedValue, readOwnValues } from "@/lib/services/profile-values/read";
import { ValueFields } from "../value-fields";
import { ValueRow } from "../value-row";
import { addValueAction, changeValueAction, removeValueAction } from "./actions";

export const metadata: Metadata = { title: "Named values" };

export default async function ValuesPage() {
  const { ctx, profile } = await profileContext();
  const { namedValues } = await readOwnValues(ctx, profile);
  const categories = [...new Set(namedValues.map(({ category }) => category))];
  return (
    <>
      {categories.length === 0 && (
        <Empty title="No named values yet">
          A named value is a fact with a name, such as an occupation or a shoe size. It stands in a
          category, and the policies for that category say who may read it.
        </Empty>
      )}
      {categories.map((category) => (
        <section
          key={category}
          aria-label={categoryTitle(category)}
          className="rounded-box border border-line bg-surface p-5 shadow-raised sm:p-6"
        >
          <h2 className="mb-1 text-base font-semibold">
            <CategoryChip category={category} />
          </h2>
          <Values values={namedValues.filter((value) => value.category === category)} />
        </section>
      ))}
      <Card title="Add a named value">
        <Form action={addValueAction} className="flex flex-col gap-4">
          <Field
            name="category"
            label="Category"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={128}
            required
            list="known-categories"
            hint="Such as professional, health or interests.music. It decides who may read the value."
          />
          <datalist id="known-categories">
            {[...new Set([...categories, ...usual])].map((category) => (
              <option key={category} value={category.replace(/^prof:/, "")}>
                {categoryTitle(category)}
              </option>
            ))}
          </datalist>
          <Field
            name="name"
            label="Name"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={64}
            required
            hint="Such as occupation."
          />
          <ValueFields />
          <SubmitButton>Add value</SubmitButton>
        </Form>
      </Card>
    </>
  );
}

const usual = ["prof:professional", "prof:interests", "prof:health", "prof:financial"];

function Values({ values }: { values: OwnNamedValue[] }) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {values.map(({ category, name, value, updatedAt }) => (
        <ValueRow
          key={name}
          name={name}
          value={value}
          version={updatedAt.toISOString()}
          change={changeValueAction}
          remove={removeValueAction}
        >
          <input type="hidden" name="category" value={category} />
          <input type="hidden" name="name" value={name} />
        </ValueRow>
      ))}
    </ul>
  );
}
