"use client";

import { type ReactNode, useId, useState } from "react";
import { Icon, type IconName } from "../icon";
import { menuItem } from "../menu";
import { Sensitive } from "../shown/sensitive";
import { list } from "../words/list";
import { slot } from "./slots";
import { useFormValues, useRefusal, type Values } from "./values";

/** The caret of the selects beside it: see app/globals.css. */
const caret =
  "ml-auto box-content size-1.75 flex-none -translate-y-0.5 rotate-45 border-r-2 border-b-2 border-muted";

export interface ListChoice {
  value: string;
  /** As it reads in a sentence. */
  words: string;
  title: string;
  note?: string;
  icon?: IconName;
  count?: number;
  isSensitive?: boolean;
}

interface ListPickerProps {
  /** Of its fields: a tick is `name:value`, what is typed beside them `name.others`. */
  name: string;
  label: string;
  /** As it reads where nothing is chosen. */
  none: string;
  /** The word before what is chosen; until then it is only offered. */
  start?: string;
  choices: readonly ListChoice[];
  /** What can be typed beside the list. */
  others: { label: string; hint: string };
  children?: ReactNode;
}

/** Any of a list, in a sentence: the browser opens and places it, also without scripts. */
export function ListPicker(props: ListPickerProps) {
  const values = useFormValues();
  // Starts again from what the gateway sends back.
  return <OpenList key={chosenIn(values, props).join()} values={values} {...props} />;
}

function OpenList({ values, children, ...props }: ListPickerProps & { values: Values }) {
  const { name, label, none, start, choices } = props;
  const id = useId();
  const [chosen, setChosen] = useState(() => chosenIn(values, props));
  function read(within: HTMLElement) {
    const fields = within.querySelectorAll<HTMLInputElement>("input:checked, input[type=text]");
    const sent = Array.from(fields, (field) => [field.name, field.value]);
    setChosen(chosenIn(Object.fromEntries(sent), props));
  }
  const isOffered = start !== undefined && chosen.length === 0;
  return (
    <>
      {!isOffered && start}
      <button
        type="button"
        popoverTarget={id}
        data-offered={isOffered ? "" : undefined}
        className={`inline-flex items-center gap-2 text-left ${isOffered ? "min-h-11 text-base text-muted link" : slot}`}
        {...useRefusal(name)}
      >
        <span className="sr-only">{label}: </span>
        <span className="min-w-0 wrap-anywhere">{chosen.length === 0 ? none : list(chosen)}</span>
        <span className={caret} />
      </button>
      <fieldset
        id={id}
        popover="auto"
        aria-label={label}
        onChange={({ currentTarget }) => read(currentTarget)}
        onKeyDown={(event) => {
          // In a field it would send the form around the list.
          if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
          event.preventDefault();
          event.currentTarget.hidePopover();
        }}
        className="menu max-h-[min(60dvh,480px)] overflow-y-auto text-base font-normal rail:w-108 rail:[position-area:block-end_span-inline-end]"
      >
        <Others name={`${name}.others`} {...props.others} />
        <ul>
          {choices.map((choice) => (
            <li key={choice.value}>
              <Tick name={`${name}:${choice.value}`} choice={choice} />
            </li>
          ))}
        </ul>
        {children}
      </fieldset>
    </>
  );
}

function chosenIn(values: Values, { name, choices }: Pick<ListPickerProps, "name" | "choices">) {
  const ticked = choices.filter(({ value }) => values[`${name}:${value}`] !== undefined);
  const typed = (values[`${name}.others`] ?? "").split(",").map((word) => word.trim());
  return [...ticked.map(({ words }) => words), ...typed.filter((word) => word !== "")];
}

function Tick({ name, choice }: { name: string; choice: ListChoice }) {
  const isTicked = useFormValues()[name] !== undefined;
  const { value, title, note, icon, count, isSensitive = false } = choice;
  return (
    <label className={`${menuItem} cursor-pointer py-1`} title={value}>
      <input
        key={String(isTicked)}
        type="checkbox"
        name={name}
        defaultChecked={isTicked}
        className="size-4 shrink-0 accent-ink"
      />
      {icon !== undefined && <Icon icon={icon} />}
      <span className="min-w-0 wrap-anywhere">
        {title}
        {note !== undefined && <span className="block text-small text-muted">{note}</span>}
      </span>
      {isSensitive && <Sensitive />}
      {count !== undefined && (
        <span className="ml-auto text-muted tabular-nums" title="Memories and values">
          {count.toLocaleString("en")}
          <span className="sr-only"> memories and values</span>
        </span>
      )}
    </label>
  );
}

function Others({ name, label, hint }: { name: string; label: string; hint: string }) {
  const typed = useFormValues()[name];
  return (
    <label className="flex flex-col gap-1 px-2 pt-1 pb-2">
      {label}
      <input
        key={typed}
        type="text"
        name={name}
        defaultValue={typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={hint}
        className="control"
      />
    </label>
  );
}
