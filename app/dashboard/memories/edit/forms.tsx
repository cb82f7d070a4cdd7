"use client";

import type { ShownMemory } from "@/lib/services/memories/shown";
import { Form } from "../../../_components/forms/form";
import { LongField } from "../../../_components/forms/long-field";
import { type Choice, SelectField } from "../../../_components/forms/select-field";
import { confidenceWords } from "../../../_components/words/confidence";
import { visibleText } from "../../../_components/words/inert";
import { addAction, editAction, moveAction } from "../actions";
import { CategoryFields } from "./category-fields";
import { Seen } from "./seen";

const sure: Choice[] = [
  { value: "1", text: "Very sure" },
  { value: "0.8", text: "Fairly sure" },
  { value: "0.6", text: "Somewhat sure" },
  { value: "0.3", text: "Unsure" },
];

interface AddProps {
  categories: Choice[];
  done: () => void;
}

export function AddMemory({ categories, done }: AddProps) {
  return (
    <Form action={addAction} submit="Add" done={done}>
      <LongField name="content" label="What to remember" rows={3} required />
      <CategoryFields categories={categories} />
      <SelectField name="confidence" label="How sure you are" choices={sure} />
    </Form>
  );
}

interface EditProps {
  memory: ShownMemory;
  done: () => void;
}

export function EditMemory({ memory, done }: EditProps) {
  const content = visibleText(memory.content);
  const { confidence } = memory;
  const words = `${confidenceWords(confidence)} (${confidence.toFixed(2)})`;
  const asItIs = { value: "", text: `As it is: ${words}` };
  const rows = Math.min(16, Math.max(3, Math.ceil(content.length / 70)));
  return (
    <Form action={editAction} submit="Save" done={done}>
      <Seen memoryId={memory.id} at={memory.updatedAt.toISOString()} />
      <LongField name="content" label="What to remember" initial={content} rows={rows} required />
      <SelectField name="confidence" label="How sure you are" choices={[asItIs, ...sure]} />
    </Form>
  );
}

export function MoveMemory({ memory, categories, done }: EditProps & { categories: Choice[] }) {
  return (
    <Form action={moveAction} submit="Move" done={done}>
      <Seen memoryId={memory.id} at={memory.updatedAt.toISOString()} />
      <CategoryFields categories={categories} initial={memory.category} />
    </Form>
  );
}
