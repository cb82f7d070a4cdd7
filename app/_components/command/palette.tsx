"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useId, useRef } from "react";
import { Icon } from "../icon";
import { Key } from "../key";
import { Options } from "./options";
import { type Find, usePalette } from "./use-palette";

interface PaletteProps {
  find: Find;
  close: () => void;
}

/** Searches everything of a profile. What is typed is sent in a body, not in an address. */
export function Palette({ find, close }: PaletteProps) {
  const id = useId();
  const router = useRouter();
  const dialog = useRef<HTMLDialogElement>(null);
  const shut = useCallback(() => dialog.current?.close(), []);
  const go = useCallback(
    (href: string) => {
      shut();
      router.push(href);
    },
    [shut, router],
  );
  const palette = usePalette(find, go);
  const { sought, groups, rows, chosen, isCurrent, hasFailed } = palette;
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      aria-label="Search or go to"
      onClose={close}
      onClick={({ target, currentTarget }) => target === currentTarget && shut()}
      className="mx-auto mt-24 mb-auto max-h-[calc(100dvh-8rem)] w-160 max-w-[calc(100vw-24px)] flex-col rounded-box border border-edge bg-lifted text-ink shadow-float backdrop:bg-on-signal/60 open:flex max-rail:m-0 max-rail:h-dvh max-rail:max-h-none max-rail:w-screen max-rail:max-w-none max-rail:rounded-none max-rail:border-0"
    >
      <div className="flex min-h-14.5 items-center gap-3 border-b border-line px-4">
        <Icon icon="magnifying-glass" />
        <Field list={id} palette={palette} />
        <button
          type="button"
          aria-label="Close"
          onClick={shut}
          className="max-rail:min-w-11 min-h-11 rail:min-h-9"
        >
          <Key>Esc</Key>
          <Icon icon="x" className="size-5 rail:hidden" />
        </button>
      </div>
      <Options id={id} groups={groups} chosen={chosen} words={sought.words} shut={shut} />
      <p
        role="status"
        className={rows.length > 0 ? "sr-only" : "px-5 py-3 text-muted empty:hidden"}
      >
        {isCurrent && foundWords(rows.length, hasFailed)}
      </p>
      <Foot tab={sought.only === "all" ? "only memories" : "everything"} />
    </dialog>
  );
}

interface FieldProps {
  /** The id of the list that it moves in. */
  list: string;
  palette: ReturnType<typeof usePalette>;
}

function Field({ list, palette: { sought, rows, chosen, seek, press } }: FieldProps) {
  return (
    <input
      role="combobox"
      aria-label="Search or go to"
      aria-expanded="true"
      aria-controls={list}
      aria-autocomplete="list"
      aria-activedescendant={chosen && `${list}-${rows.indexOf(chosen)}`}
      value={sought.words}
      onChange={({ target }) => seek({ words: target.value })}
      onKeyDown={press}
      maxLength={200}
      autoComplete="off"
      placeholder={sought.only === "all" ? "Search or go to" : "Search your memories"}
      className="min-h-11 min-w-0 flex-1 bg-transparent text-lead shadow-none outline-hidden placeholder:text-muted"
    />
  );
}

function foundWords(count: number, hasFailed: boolean): string {
  if (hasFailed) return "The gateway gave no answer. Type again to repeat it.";
  if (count === 0) return "Nothing was found.";
  return count === 1 ? "1 result" : `${count} results`;
}

function Foot({ tab }: { tab: string }) {
  return (
    <p
      aria-hidden="true"
      className="flex items-center gap-2 border-t border-line px-4 py-2 text-small text-muted max-rail:hidden"
    >
      <Key>↑</Key>
      <Key>↓</Key> move
      <Key>Tab</Key> {tab}
      <span className="ml-auto">Everything stays on this gateway</span>
    </p>
  );
}
