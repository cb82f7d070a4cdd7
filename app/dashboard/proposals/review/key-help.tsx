"use client";

import { chooseKeys } from "../actions";
import { keyHelp } from "./keys";

const hints = [
  { keys: "J K", does: "move" },
  { keys: "A", does: "approve" },
  { keys: "E", does: "edit" },
  { keys: "R", does: "reject" },
  { keys: "X", does: "select" },
  { keys: "U", does: "undo" },
] as const;

/** Opens before scripts do; the keys themselves need them. What was chosen comes back with the page. */
export function KeyHelp({ isOn }: { isOn: boolean }) {
  return (
    <div className="hidden flex-1 items-baseline justify-end gap-3 text-xs text-muted sm:flex">
      {isOn &&
        hints.map(({ keys, does }) => (
          <span key={keys}>
            <kbd className="font-mono text-ink">{keys}</kbd> {does}
          </span>
        ))}
      <button
        type="button"
        popoverTarget="key-help"
        className="min-h-6 rounded-box underline underline-offset-4 hover:text-ink"
      >
        Keyboard shortcuts{isOn ? "" : " (off)"}
      </button>
      <div
        id="key-help"
        popover="auto"
        role="dialog"
        aria-labelledby="key-help-title"
        className="m-auto w-80 max-w-full rounded-box border border-line bg-surface p-5 text-sm text-ink shadow-raised backdrop:bg-canvas/70"
      >
        <h2 id="key-help-title" className="text-base font-semibold">
          Keyboard shortcuts
        </h2>
        <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2">
          {keyHelp.map(({ keys, does }) => (
            <div key={keys} className="contents">
              <dt>
                <kbd className="rounded-box border border-edge px-2 py-0.5 font-mono text-xs">
                  {keys}
                </kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <form action={chooseKeys} className="mt-4 border-t border-line pt-4">
          <button
            type="submit"
            name="keys"
            value={isOn ? "off" : "on"}
            className="min-h-10 rounded-box border border-edge px-4 font-medium hover:bg-sunken"
          >
            Switch them {isOn ? "off" : "on"}
          </button>
        </form>
      </div>
    </div>
  );
}
