import type { ReactNode } from "react";
import { useId } from "react";
import { FirstOf } from "../../../_components/lists/first-of";
import { Sensitive } from "../../../_components/shown/sensitive";

export interface Switch {
  /** The name of the form's field. */
  name: string;
  scope: string;
  title: string;
  sensitive: boolean;
}

interface FieldsProps {
  issues: Record<string, string>;
  values: Record<string, string>;
}

interface GroupProps {
  legend: string;
  hint?: ReactNode;
  issue: string | undefined;
  children: ReactNode;
}

function Group({ legend, hint, issue, children }: GroupProps) {
  return (
    <fieldset data-missing={issue === undefined ? undefined : true}>
      <legend className="font-medium">{legend}</legend>
      {hint !== undefined && <p className="mt-1 text-xs text-muted">{hint}</p>}
      <div className="mt-2">{children}</div>
      {issue !== undefined && <p className="mt-2 text-danger">{issue}</p>}
    </fieldset>
  );
}

const permissions = [
  { name: "read", title: "Read", note: "What your profile holds in these categories" },
  { name: "propose", title: "Propose", note: "Memories, which wait in your inbox for you" },
];

const row = "flex cursor-pointer items-start gap-3 px-3 py-2";
const box = "mt-1 size-3.5 shrink-0 accent-accent";

export function Permissions({ issues, values }: FieldsProps) {
  return (
    <Group legend="What it may do" issue={issues.permissions}>
      <div className="grid gap-2 sm:grid-cols-2">
        {permissions.map(({ name, title, note }) => (
          <label
            key={name}
            className={`${row} rounded-box border border-line has-checked:border-accent has-checked:bg-accent-soft`}
          >
            <input
              key={values[name]}
              type="checkbox"
              name={name}
              value={name}
              defaultChecked={values[name] !== undefined}
              className={box}
            />
            <span>
              <span className="block font-medium">{title}</span>
              <span className="block text-xs text-muted">{note}</span>
            </span>
          </label>
        ))}
      </div>
    </Group>
  );
}

interface ScopesProps extends FieldsProps {
  switches: Switch[];
  /** The number of categories; the switches show the first of them. */
  categoryCount: number;
  /** Other categories were typed. */
  typed: () => void;
}

export function Scopes({ issues, values, switches, categoryCount, typed }: ScopesProps) {
  return (
    <div className="flex flex-col gap-4">
      <Group
        legend="In which categories"
        hint="Each with all that lies below it."
        issue={issues.scopes}
      >
        {switches.length > 0 && (
          <ul className="flex max-h-96 flex-col divide-y divide-line overflow-y-auto rounded-box border border-line">
            {switches.map(({ name, scope, title, sensitive }) => (
              <li key={scope}>
                <label className={row} title={scope}>
                  <input
                    key={values[name]}
                    type="checkbox"
                    name={name}
                    value={scope}
                    defaultChecked={values[name] !== undefined}
                    className={box}
                  />
                  <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
                    <span className="wrap-anywhere">{title}</span>
                    {sensitive && <Sensitive />}
                  </span>
                </label>
              </li>
            ))}
          </ul>
        )}
        <FirstOf shown={switches.length} all={categoryCount} />
      </Group>
      <TextField
        name="others"
        label="Other categories"
        hint="That are not in the list, separated by commas: travel, interests.books"
        issue={issues.others}
        value={values.others}
        left={typed}
      />
    </div>
  );
}

const lives = [
  { days: "1", title: "1 day" },
  { days: "7", title: "7 days" },
  { days: "30", title: "30 days" },
  { days: "90", title: "90 days" },
  { days: "365", title: "1 year" },
];

export function Life({ issues, values }: FieldsProps) {
  const chosen = values.days ?? "30";
  return (
    <Group legend="For how long" issue={issues.days}>
      <div className="flex flex-wrap gap-2">
        {lives.map(({ days, title }) => (
          <label
            key={days}
            className="flex min-h-10 cursor-pointer items-center gap-2 rounded-box border border-line px-3 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              key={String(days === chosen)}
              type="radio"
              name="days"
              value={days}
              defaultChecked={days === chosen}
              className="size-3.5 shrink-0 accent-accent"
            />
            {title}
          </label>
        ))}
      </div>
    </Group>
  );
}

export function Naming({ issues, values }: FieldsProps) {
  return (
    <TextField
      name="label"
      label="Label"
      hint="Where it will run, to know it by: “Kitchen tablet”. May stay empty."
      issue={issues.label}
      value={values.label}
      maxLength={100}
    />
  );
}

interface TextFieldProps {
  name: string;
  label: string;
  hint: string;
  issue: string | undefined;
  value: string | undefined;
  maxLength?: number;
  /** Called once the user has typed something. */
  left?: () => void;
}

function TextField({ name, label, hint, issue, value, maxLength, left }: TextFieldProps) {
  const id = useId();
  return (
    <div data-missing={issue === undefined ? undefined : true} className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        key={value}
        name={name}
        defaultValue={value}
        maxLength={maxLength}
        onBlur={left}
        spellCheck={false}
        autoCapitalize="none"
        aria-invalid={issue !== undefined}
        aria-describedby={`${issue === undefined ? "" : `${id}-issue `}${id}-hint`}
        className="min-h-10 w-full rounded-box border border-edge bg-surface px-3 text-base aria-invalid:border-danger sm:text-sm"
      />
      {issue !== undefined && (
        <p id={`${id}-issue`} className="text-danger">
          {issue}
        </p>
      )}
      <p id={`${id}-hint`} className="text-xs text-muted">
        {hint}
      </p>
    </div>
  );
}
