"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import type { ShownMemory } from "@/lib/services/memories/shown";
import { CategoryField } from "../../../_components/forms/fields/category-field";
import { LongField } from "../../../_components/forms/fields/long-field";
import type { Option } from "../../../_components/forms/fields/options";
import { SelectField } from "../../../_components/forms/fields/select-field";
import { Form } from "../../../_components/forms/form";
import { Seen } from "../../../_components/forms/seen";
import { confidenceWords } from "../../../_components/words/confidence";
import { visibleText } from "../../../_components/words/inert";
import { addAction, editAction } from "../actions";

const sure: Option[] = [
  ["1", "Very sure"],
  ["0.8", "Fairly sure"],
  ["0.6", "Somewhat sure"],
  ["0.3", "Unsure"],
];

interface AddPanelProps {
  categories: Option[];
  /** The address of this page with the panel closed. */
  closed: string;
}

export function AddPanel({ categories, closed }: AddPanelProps) {
  return (
    <Panel closed={closed} focus="content" returnTo="add-memory" className="box p-4 sm:p-5">
      {(close) => (
        <Form action={addAction} submit="Add" done={close}>
          <LongField name="content" label="What to remember" rows={3} required />
          <CategoryField choices={categories} />
          <SelectField name="confidence" label="How sure you are" choices={sure} />
        </Form>
      )}
    </Panel>
  );
}

interface EditPanelProps extends AddPanelProps {
  memory: ShownMemory;
  /** The field that has the focus at first. */
  focus: "content" | "category";
}

export function EditPanel({ memory, categories, ...panel }: EditPanelProps) {
  const { id, category, confidence, updatedAt } = memory;
  const content = visibleText(memory.content);
  const words = `${confidenceWords(confidence)} (${confidence.toFixed(2)})`;
  const asItIs: Option = ["", `As it is: ${words}`];
  const rows = Math.min(16, Math.max(3, Math.ceil(content.length / 70)));
  return (
    <Panel {...panel} returnTo={id} className="mt-4 border-t border-line pt-4">
      {(close) => (
        <Form action={editAction} submit="Save" done={close}>
          <input type="hidden" name="memoryId" value={id} />
          <Seen version={updatedAt.toISOString()} isBeside />
          <LongField
            name="content"
            label="What to remember"
            initial={content}
            rows={rows}
            required
          />
          <CategoryField choices={categories} initial={category} />
          <SelectField name="confidence" label="How sure you are" choices={[asItIs, ...sure]} />
        </Form>
      )}
    </Panel>
  );
}

interface PanelProps {
  closed: string;
  focus: string;
  /** The id of what has the focus afterwards. */
  returnTo: string;
  className: string;
  children: (close: () => void) => ReactNode;
}

/** A form that a link opens and a link closes: what is posted before scripts run finds it open still. */
function Panel({ closed, focus, returnTo, className, children }: PanelProps) {
  const router = useRouter();
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const here = panel.current;
    const leave = (event: KeyboardEvent) =>
      event.key === "Escape" && router.replace(closed, { scroll: false });
    here?.addEventListener("keydown", leave);
    return () => here?.removeEventListener("keydown", leave);
  }, [closed, router]);
  useEffect(() => {
    panel.current?.querySelector<HTMLElement>(`[name=${focus}]`)?.focus();
    return () => document.getElementById(returnTo)?.focus({ preventScroll: true });
  }, [focus, returnTo]);
  return (
    <div ref={panel} className={`flex flex-col gap-5 ${className}`}>
      {children(() => router.replace(closed, { scroll: false }))}
      <Link href={closed} scroll={false} className="self-start link font-medium">
        Close without saving
      </Link>
    </div>
  );
}
