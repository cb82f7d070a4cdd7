import type { Metadata } from "next";
import { z } from "zod";
import { Card } from "@/app/_components/card";
import { Empty } from "@/app/_components/empty";
import { Field } from "@/app/_components/forms/field";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { pageBytesMax } from "@/app/_components/lists/page-size";
import { Pages } from "@/app/_components/lists/pages";
import { CategoryChip } from "@/app/_components/shown/category-chip";
import { categoryTitle } from "@/app/_components/words/category";
import { profileContext } from "@/lib/http/session/page";
import { pageOf } from "@/lib/services/page";
import { type OwnNamedValue, readOwnValues } from "@/lib/services/profile-values/read";
import { firstParam } from "../../query";
import { ValueFields } from "../value-fields";
import { ValueRow } from "../value-row";
import { addValueAction, changeValueAction, removeValueAction } from "./actions";

export const metadata: Metadata = { title: "Named values" };

const perPage = 20;

interface ValuesPageProps {
  searchParams: Promise<{ from?: string | string[] }>;
}

export default async function ValuesPage({ searchParams }: ValuesPageProps) {
  const { ctx, profile } = await profileContext();
  const { namedValues: all } = await readOwnValues(ctx, profile);
  const start = Number(From.safeParse(firstParam((await searchParams).from)).data ?? 0);
  const { page: namedValues, last } = pageOf(all.slice(start, start + perPage + 1), {
    limit: perPage,
    // A value is in its form once more.
    bytesMax: pageBytesMax / 2,
  });
  const end = start + namedValues.length;
  const categories = [...new Set(namedValues.map(({ category }) => category))];
  return (
    <>
      {all.length === 0 && (
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
      {namedValues.length < all.length && (
        <div className="flex flex-wrap items-center gap-x-6">
          <p className="text-xs text-muted">
            {start + 1} to {end} of {all.length}
          </p>
          <Pages
            newest={start === 0 ? null : here}
            older={last === undefined ? null : `${here}?from=${end}`}
            words={{ first: "First", next: "Next" }}
          />
        </div>
      )}
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

const here = "/dashboard/settings/values";
const From = z.string().regex(/^\d{1,3}$/);
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
