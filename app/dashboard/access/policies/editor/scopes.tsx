"use client";

import { AdvancedOptions } from "./advanced-options";
import { CheckboxList } from "./checkbox-list";
import { type Choice, prefixes } from "./fields";
import { Group, Text, useFormValues } from "./form-values";

const deeds: Choice[] = [
  { value: "read", title: "Read", note: "See what is there, now and later" },
  { value: "propose", title: "Propose", note: "Suggest memories, which you review" },
];

/** What agents may do, and in which categories. */
export function Scopes({ categories }: { categories: Choice[] }) {
  const typed = useFormValues();
  const isDenying =
    Boolean(typed.denyTyped) || Object.keys(typed).some((name) => name.startsWith(prefixes.deny));
  return (
    <>
      <Group legend="What they may do" name="permissions">
        <CheckboxList prefix={prefixes.may} choices={deeds} />
      </Group>
      <Group
        legend="With what"
        name="allow"
        hint="A category includes everything below it. All your rules together may name up to 1,000 categories."
      >
        <CheckboxList prefix={prefixes.allow} choices={categories} />
        <Text
          name="allowTyped"
          label="Others"
          hint="Categories that are not in the list, such as travel.visas."
          autoComplete="off"
          spellCheck={false}
        />
      </Group>
      <AdvancedOptions title="What they never reach, whatever another rule says" isOpen={isDenying}>
        <Group
          legend="Never"
          name="deny"
          hint="Neither reading nor proposing, and no request for it reaches you."
        >
          <CheckboxList prefix={prefixes.deny} choices={categories} />
          <Text name="denyTyped" label="Others" autoComplete="off" spellCheck={false} />
        </Group>
      </AdvancedOptions>
    </>
  );
}
