"use client";

import { AdvancedOptions } from "./advanced-options";
import { CheckboxList } from "./checkbox-list";
import { type Choice, prefixes } from "./fields";
import { Group, Select, Text, useFormValues } from "./form-values";

interface TermsProps {
  purposes: Choice[];
  retentions: { value: string; text: string }[];
  /** As it stands, in words; null for a rule without an end. */
  kept: string | null;
}

/** What an agent has to declare, and how long a rule lasts. */
export function Conditions({ purposes, retentions, kept }: TermsProps) {
  const typed = useFormValues();
  const isOpen =
    Object.keys(typed).some((name) => name.startsWith(prefixes.purpose)) ||
    [typed.purposesTyped, typed.maxRetention, typed.receiptHours].some(Boolean);
  return (
    <>
      <AdvancedOptions title="Only for a purpose, or for data kept briefly" isOpen={isOpen}>
        <Group
          legend="Purposes"
          name="purposes"
          hint="With any of these, an agent has to ask for access and say what for. It is then answered without asking you."
        >
          <CheckboxList prefix={prefixes.purpose} choices={purposes} />
          <Text
            name="purposesTyped"
            label="Others"
            hint="Words that agents send, such as meal_planning."
            autoComplete="off"
            spellCheck={false}
          />
        </Group>
        <Select name="maxRetention" label="Kept by the agent at most" options={retentions} />
        <Text
          name="receiptHours"
          label="Hours until it has to ask again"
          hint="At most 24, which is also what holds where this is empty."
          inputMode="decimal"
          autoComplete="off"
        />
      </AdvancedOptions>
      <Group legend="For how long" name="expiresAt">
        <input type="hidden" name="keptUntil" value={typed.keptUntil ?? ""} />
        <div className="group grid gap-4 sm:grid-cols-2">
          <Select
            name="until"
            label="The rule holds"
            options={[
              { value: "never", text: "Until I remove it" },
              ...(kept === null ? [] : [{ value: "kept", text: `As it is: until ${kept}` }]),
              { value: "1d", text: "For 1 day" },
              { value: "30d", text: "For 30 days" },
              { value: "1y", text: "For a year" },
              { value: "day", text: "Until a day of my choice" },
            ]}
          />
          <div className="hidden group-has-[[value=day]:checked]:block">
            <Text name="untilDay" label="Last day" type="date" />
          </div>
        </div>
      </Group>
    </>
  );
}
