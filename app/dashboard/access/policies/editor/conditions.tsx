"use client";

import type { Option } from "../../../../_components/forms/fields/options";
import { type ListChoice, ListPicker } from "../../../../_components/pickers/list-picker";
import { type Choices, Clause, otherCategories } from "../../../../_components/pickers/sentence";
import { SelectSlot } from "../../../../_components/pickers/slots";

export interface RuleChoices extends Choices {
  purposes: readonly ListChoice[];
  retentions: readonly Option[];
  receiptLives: readonly Option[];
  ends: readonly Option[];
}

/** The conditions of a rule. One that never lets anybody in has none, so its sentence has no place for them. */
export function Conditions({ categories, purposes, retentions, receiptLives }: RuleChoices) {
  return (
    <div className="contents group-has-[[name=deed]_[value=never]:checked]:hidden">
      <Clause>
        <ListPicker
          name="except"
          label="Except"
          start="except"
          none="+ except"
          choices={categories}
          others={otherCategories}
        >
          <Hint>This stays closed, whatever another rule says.</Hint>
        </ListPicker>
      </Clause>
      <Clause start="for">
        <ListPicker
          name="purpose"
          label="For which purposes"
          none="any purpose"
          choices={purposes}
          others={{ label: "Other purposes, in the words that agents send", hint: "meal_planning" }}
        >
          <Hint>
            With any of these, an agent has to ask for access and say what for. It is then answered
            without asking you.
          </Hint>
          <SelectSlot
            name="receiptSeconds"
            label="When it has to ask again"
            choices={receiptLives}
            look="control mx-3 mb-2"
          />
        </ListPicker>
      </Clause>
      <Clause start="kept">
        <SelectSlot name="maxRetention" label="Kept by the agent" choices={retentions} />
      </Clause>
    </div>
  );
}

function Hint({ children }: { children: string }) {
  return <p className="px-3 py-1 text-small text-muted">{children}</p>;
}
