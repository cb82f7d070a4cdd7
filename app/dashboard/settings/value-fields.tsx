import type { ReactNode } from "react";
import { Field } from "@/app/_components/forms/fields/field";
import { LongField } from "@/app/_components/forms/fields/long-field";
import { SelectField } from "@/app/_components/forms/fields/select-field";
import { SubmitButton } from "@/app/_components/forms/form";
import { InertText } from "@/app/_components/shown/inert-text";
import { valueName } from "@/app/_components/words/value-name";
import { answers } from "./new-value-fields";
import { kindOf, type Leaf, leavesOf, textOf } from "./typed-value";
import { type FormValue, isLarge } from "./value-form";

interface ValueGroupsProps<Value> {
  values: Value[];
  title: (group: string) => string;
  heading?: (group: string) => ReactNode;
  /** What is said below a value. */
  note?: (value: Value) => ReactNode;
}

/** The fields of values, each group under its heading. */
export function ValueGroups<Value extends FormValue>({
  values,
  title,
  heading = title,
  note,
}: ValueGroupsProps<Value>) {
  const groups = [...new Set(values.map(({ group }) => group))];
  return groups.map((group) => (
    <section key={group} aria-label={title(group)}>
      <h3 className="mb-3 font-semibold">{heading(group)}</h3>
      <ul className="flex flex-col divide-y divide-line">
        {values
          .filter((value) => value.group === group)
          .map((value) => (
            <ValueFields key={value.key} shown={value} note={note?.(value)} />
          ))}
      </ul>
    </section>
  ));
}

/** A value as fields, and the button that removes it. */
function ValueFields({
  shown: { key, name, value },
  note,
}: {
  shown: FormValue;
  note?: ReactNode;
}) {
  const title = valueName(name);
  const leaves = leavesOf(value);
  const isOne = leaves.length === 1 && leaves[0]?.path.length === 0;
  return (
    <li className="flex flex-col gap-x-4 gap-y-1 py-4 first:pt-0 rail:flex-row rail:items-start">
      <input type="hidden" name={key} value="" />
      <div className="min-w-0 flex-1">
        {isOne || (
          <p className="mb-2 font-medium">
            <InertText text={title} />
          </p>
        )}
        {isLarge(value) ? (
          <Outline leaves={leaves} />
        ) : (
          <div className={isOne ? "" : "grid gap-3 border-l-2 border-line pl-4 rail:grid-cols-2"}>
            {leaves.map(({ path, leaf }, at) => (
              <LeafField
                key={path.join("/")}
                name={`${key}.${at}`}
                label={isOne ? title : path.map(valueName).join(" › ")}
                leaf={leaf}
              />
            ))}
          </div>
        )}
        {note !== undefined && <p className="mt-1 text-small text-muted">{note}</p>}
      </div>
      <SubmitButton
        look="quiet"
        name="remove"
        value={key}
        className={`-ml-3 rail:ml-0 ${isOne ? "rail:mt-7" : "rail:-mt-1.5"}`}
      >
        Remove<span className="sr-only"> {title}</span>
      </SubmitButton>
    </li>
  );
}

const lineMax = 80;

function LeafField({ name, label, leaf }: { name: string; label: string; leaf: Leaf }) {
  const kind = kindOf(leaf);
  const text = textOf(leaf);
  const field = { name, label, initial: text };
  if (kind === "yes-no") return <SelectField {...field} choices={answers} />;
  if (kind === "number") return <Field {...field} inputMode="decimal" autoComplete="off" />;
  const lines = text.split("\n").length;
  if (kind === "list") {
    return <LongField {...field} rows={Math.min(8, lines + 1)} hint="One a line." />;
  }
  if (lines === 1 && text.length <= lineMax) return <Field {...field} autoComplete="off" />;
  const rows = Math.min(12, Math.max(lines, Math.ceil(text.length / lineMax)));
  return <LongField {...field} rows={rows} />;
}

const shownMax = 40;
const textMax = 200;

function Outline({ leaves }: { leaves: { path: string[]; leaf: Leaf }[] }) {
  return (
    <>
      <ul className="border-l-2 border-line pl-4">
        {leaves.slice(0, shownMax).map(({ path, leaf }) => (
          <li key={path.join("/")}>
            <span className="text-muted">
              <InertText text={path.map(valueName).join(" › ")} />:
            </span>{" "}
            <InertText text={textOf(leaf).slice(0, textMax)} />
          </li>
        ))}
      </ul>
      <p className="mt-1 text-small text-muted">
        The first {shownMax} of {leaves.length.toLocaleString("en")} fields: too many to edit here.
      </p>
    </>
  );
}
