"use client";

import type { ReactNode } from "react";
import type { Option } from "../forms/fields/options";
import { type ListChoice, ListPicker } from "./list-picker";
import { SelectSlot, TextSlot } from "./slots";
import { Issues, useFormValues } from "./values";

export interface Choices {
  /** The choices for several agents, then single ones by DID; "pattern" asks for an identifier. */
  agents: readonly Option[];
  categories: readonly ListChoice[];
}

interface SentenceProps extends Choices {
  /** How it begins. */
  start?: string;
  deeds: readonly Option[];
  /** For how long. */
  ends: ReactNode;
  /** What an identifier looks like, and whether it can be asked that the agent is verified. */
  identifier: { placeholder: string; canVerify?: boolean };
  /** The names of its slots: what is wrong with them is said below it. */
  slots: readonly string[];
  /** Further slots, before the last. */
  children?: ReactNode;
}

/** Which agents may do what with which categories, and for how long: each part is one choice, none made at first. */
export function Sentence({ start, agents, deeds, categories, children, ...rest }: SentenceProps) {
  const { ends, identifier, slots } = rest;
  return (
    <>
      <div className="flex max-w-160 flex-wrap items-center gap-2 text-lead font-medium rail:text-title">
        {start}
        <SelectSlot name="agent" label="Which agents" unchosen="which agents?" choices={agents} />
        <SelectSlot name="deed" label="What they may do" unchosen="may do what?" choices={deeds} />
        <Clause>
          <ListPicker
            name="scope"
            label="With what"
            none="with what?"
            choices={categories}
            others={otherCategories}
          />
        </Clause>
        {children}
        <Clause end=".">{ends}</Clause>
      </div>
      <TextSlot
        name="pattern"
        label="Identifier"
        placeholder={identifier.placeholder}
        className="hidden group-has-[[value=pattern]:checked]:flex"
      />
      {identifier.canVerify === true && <WhileVerified />}
      <Issues names={["agent", "pattern", "deed", "scope", ...slots]} />
    </>
  );
}

interface ClauseProps {
  /** The words before its slot. */
  start?: string;
  end?: "," | ".";
  children: ReactNode;
}

/** A part of the sentence with the sign that ends it; a part that is only offered has none. */
export function Clause({ start, end = ",", children }: ClauseProps) {
  const sign = end === "." ? "after:content-['.']" : "after:content-[',']";
  return (
    <div
      className={`inline-flex max-w-full flex-wrap items-center gap-2 after:-ml-0.5 has-data-offered:after:content-none ${sign}`}
    >
      {start}
      {children}
    </div>
  );
}

export const otherCategories = { label: "Other categories", hint: "travel.visas, music" };

interface DurationSlotProps {
  name: string;
  /** What else can be chosen; "day" asks for one in the field `${name}Day`. */
  others?: readonly Option[];
}

/** For how long. */
export function DurationSlot({ name, others = [] }: DurationSlotProps) {
  return (
    <>
      <SelectSlot
        name={name}
        label="For how long"
        unchosen="for how long?"
        choices={[...durations, ...others]}
      />
      <TextSlot
        name={`${name}Day`}
        label="Last day"
        type="date"
        className="hidden text-base group-has-[[value=day]:checked]:inline-flex"
      />
    </>
  );
}

/** In days, the shortest first. */
const durations: readonly Option[] = [
  ["1", "for 1 day"],
  ["7", "for 7 days"],
  ["30", "for 30 days"],
  ["90", "for 90 days"],
  ["365", "for a year"],
];

// For agents named one by one. Opens without scripts.
function WhileVerified() {
  const { whileVerified } = useFormValues();
  return (
    <label className="hidden min-h-11 cursor-pointer items-center gap-3 group-has-[[value^=did]:checked]:flex group-has-[[value=pattern]:checked]:flex rail:min-h-9">
      <input
        key={whileVerified}
        type="checkbox"
        name="whileVerified"
        defaultChecked={whileVerified !== undefined}
        className="size-4 shrink-0 accent-ink"
      />
      Only while an admin has verified it
    </label>
  );
}
