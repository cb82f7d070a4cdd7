import type { Metadata } from "next";
import { Card } from "@/app/_components/card";
import { CategoryField } from "@/app/_components/forms/fields/category-field";
import { categoryOptions } from "@/app/_components/forms/fields/category-options";
import { Field } from "@/app/_components/forms/fields/field";
import type { Option } from "@/app/_components/forms/fields/options";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { Seen } from "@/app/_components/forms/seen";
import { CategoryChip } from "@/app/_components/shown/category-chip";
import { When } from "@/app/_components/shown/when";
import { Empty } from "@/app/_components/states/empty";
import { categoryTitle } from "@/app/_components/words/category";
import { oneOf, type Query } from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import { audienceOf } from "@/lib/services/access/sight/audience";
import { listMemoryFilters } from "@/lib/services/memories/browse-filters";
import { readOwnValues } from "@/lib/services/profile-values/read";
import { versionOfValues } from "@/lib/services/profile-values/version";
import { audienceWords, nobody } from "../../audience/audience-words";
import { NewValueFields } from "../new-value-fields";
import { SaveBar } from "../save-bar";
import { ValueGroups } from "../value-fields";
import { type NamedFormValue, namedFormValues } from "../value-form";
import { ValueHistory } from "../value-history";
import { pageOfValues, ValuePages } from "../value-pages";
import { addValueAction, saveValuesAction } from "./actions";

export const metadata: Metadata = { title: "Named values" };

const here = "/dashboard/settings/values";

export default async function ValuesPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const [{ namedValues }, { categories }] = await Promise.all([
    readOwnValues(ctx, profile),
    listMemoryFilters(ctx, profile.did),
  ]);
  const page = pageOfValues(namedFormValues(namedValues), oneOf((await searchParams).from));
  const shown = page.values.map(({ category }) => category);
  const audiences = await audienceOf(ctx, { did: profile.did, categories: shown });
  const used = [...new Set([...namedValues.map(({ category }) => category), ...categories])];
  return (
    <>
      <Card title="Your named values">
        <p className="mb-4 text-muted">
          A named value is a fact with a name, such as your occupation or shoe size. The rules for
          its category say who may read it.
        </p>
        <Values values={page.values} audiences={audiences} now={ctx.now} />
        <ValuePages page={page} here={here} />
        {namedValues.length === 0 && <Empty title="No named values yet">Add one below.</Empty>}
      </Card>
      <AddValue choices={categoryOptions(used)} />
      <ValueHistory ctx={ctx} did={profile.did} />
    </>
  );
}

interface ValuesProps {
  values: NamedFormValue[];
  audiences: Awaited<ReturnType<typeof audienceOf>>;
  now: Date;
}

// Also where there is none now: the removal of the last one is said here.
function Values({ values, audiences, now }: ValuesProps) {
  const look = values.length === 0 ? "hidden" : "flex flex-col gap-5 *:max-w-180";
  return (
    <Form action={saveValuesAction} className={look}>
      {/* Enter in a field saves. The first button of the values removes one. */}
      <button type="submit" hidden />
      <Seen version={versionOfValues(values.map(({ value }) => value))} />
      <ValueGroups
        values={values}
        title={categoryTitle}
        heading={(category) => <CategoryChip category={category} />}
        note={({ category, updatedAt }) => (
          <>
            Now, {audienceWords(audiences.get(category) ?? nobody)} · set{" "}
            <When at={updatedAt} now={now} />
          </>
        )}
      />
      <SaveBar />
    </Form>
  );
}

function AddValue({ choices }: { choices: Option[] }) {
  return (
    <Card title="Add a named value">
      <Form action={addValueAction} className="flex max-w-180 flex-col gap-4">
        <CategoryField choices={choices} />
        <Field name="name" label="Name" exact maxLength={64} required hint="Such as occupation." />
        <NewValueFields />
        <SubmitButton>Add value</SubmitButton>
      </Form>
    </Card>
  );
}
