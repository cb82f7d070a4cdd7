"use client";

import { type FormEvent, type ReactNode, useOptimistic, useState } from "react";
import type { MemoryState } from "@/lib/services/memories/shown";
import { EnterGuard } from "../../../_components/forms/enter-guard";
import type { Option } from "../../../_components/forms/fields/options";
import { Form } from "../../../_components/forms/form";
import { changeAction } from "../actions";
import { BulkBar } from "./bulk-bar";

interface MemoryListProps {
  state: MemoryState;
  categories: Option[];
  /** Rendered by the server. */
  rows: { id: string; row: ReactNode }[];
}

/** One form: the buttons of a row change its memory, those in the head all that are ticked. */
export function MemoryList({ state, categories, rows }: MemoryListProps) {
  const [chosen, setChosen] = useState(0);
  const [gone, leave] = useOptimistic<readonly string[], readonly string[]>([], (_, ids) => ids);
  // What leaves the list leaves at once, and the next one has the focus.
  function sends(form: FormData) {
    const leaving = leavingIn(form);
    const first = rows.findIndex(({ id }) => leaving.includes(id));
    if (first === -1) return;
    leave(leaving);
    const stays = ({ id }: { id: string }) => !leaving.includes(id);
    const next = rows.slice(first).find(stays) ?? rows.slice(0, first).findLast(stays);
    document.getElementById(next?.id ?? "memories-count")?.focus();
  }
  function ticked({ currentTarget, target }: FormEvent<HTMLDivElement>) {
    setChosen(currentTarget.querySelectorAll("[name^=mem_]:checked").length);
    // It may have been ticked by the menu of its row.
    if (target instanceof HTMLInputElement && target.name.startsWith("mem_")) closeMenus();
  }
  // Also where the list is empty now: what emptied it is said here.
  const look = rows.length === 0 ? "hidden" : "group/list box";
  return (
    <Form action={changeAction} sends={sends} done={closeMenus} className={look}>
      <EnterGuard />
      <div
        onInput={ticked}
        className="rail:grid rail:grid-cols-[auto_minmax(0,1fr)_fit-content(15rem)_auto_auto] full:grid-cols-[auto_minmax(0,1fr)_fit-content(15rem)_auto_fit-content(10rem)_auto_auto]"
      >
        <BulkBar state={state} categories={categories} chosen={chosen} />
        <ol className="contents">
          {rows.map(({ id, row }) => (
            <li key={id} hidden={gone.includes(id)} className="contents last:*:border-b-0">
              {row}
            </li>
          ))}
        </ol>
      </div>
    </Form>
  );
}

function leavingIn(form: FormData): readonly string[] {
  const [how = "", id] = String(form.get("how")).split(" ");
  if (how === "move") return [];
  return id === undefined ? [...form.keys()].filter((name) => name.startsWith("mem_")) : [id];
}

function closeMenus() {
  document.querySelector<HTMLElement>(":popover-open")?.hidePopover();
}
