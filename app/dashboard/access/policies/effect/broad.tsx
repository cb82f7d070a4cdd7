"use client";

import { useFormState } from "../../../../_components/forms/form";
import { Icon } from "../../../../_components/icon";
import { categoryWords } from "../../../../_components/words/category";
import { counted, list } from "../../../../_components/words/list";
import type { BroadRow, BroadView } from "./effect-view";

interface BroadProps {
  view: BroadView;
  onType?: (text: string) => void;
}

/** Whether the words of a broad rule are typed. */
export function isTyped(typed: string, { words }: BroadView): boolean {
  return typed.trim().toLowerCase() === words;
}

/** Names all that a broad rule opens, and asks for its words before it is saved. */
export function Broad({ view, onType }: BroadProps) {
  const { words, sensitive, rows, more } = view;
  const { ok, values } = useFormState();
  const sent = values.words ?? "";
  const never = rows.filter(({ isClosed }) => isClosed);
  return (
    <section
      aria-labelledby="broad"
      className="flex max-w-150 flex-col gap-3 rounded-box border-2 border-sensitive bg-surface p-4 text-base font-normal"
    >
      <h2 id="broad" className="flex items-start gap-2 text-lead font-semibold">
        <Icon icon="shield-warning" className="mt-0.5 size-6 text-sensitive" />
        {sensitive > 0
          ? `This opens ${counted(sensitive, "sensitive item")} to agents you do not know`
          : "This opens a lot to agents you do not know"}
      </h2>
      <ul className="grid gap-x-6 sm:grid-cols-2">
        {rows.map((row) => (
          <Row key={row.category} row={row} />
        ))}
        {more > 0 && (
          <li className="py-1">And {counted(more, "more category", "more categories")}</li>
        )}
      </ul>
      {never.length > 0 && (
        <p>
          Your “never” rules still win: {list(never.map(({ category }) => categoryWords(category)))}
          .
        </p>
      )}
      <label className="flex flex-col gap-1.5">
        <span>
          To go on, type <b className="font-semibold">{words}</b>
        </span>
        <input
          name="words"
          defaultValue={sent}
          onChange={({ target }) => onType?.(target.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-invalid={!ok && !isTyped(sent, view)}
          className="max-w-85 control"
        />
      </label>
    </section>
  );
}

function Row({ row }: { row: BroadRow }) {
  const { category, title, icon, isSensitive, items, isClosed } = row;
  const look = isClosed ? "text-muted" : isSensitive ? "font-semibold text-sensitive" : "";
  return (
    <li title={category} className={`flex items-center gap-2 border-t border-line py-1 ${look}`}>
      <Icon icon={icon} />
      <span className="min-w-0 wrap-anywhere">{title}</span>
      <span className="ml-auto inline-flex items-center gap-1.5 tabular-nums">
        {isClosed && <Icon icon="lock-simple-fill" className="size-4" />}
        {isClosed ? "never" : items.toLocaleString("en")}
      </span>
    </li>
  );
}
