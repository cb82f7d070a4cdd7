"use client";

import { Button } from "../../../../_components/button";
import { Key } from "../../../../_components/key";
import { chooseKeys } from "../../actions";
import { keyHelp } from "./keys";

/** Opens before scripts do; the keys themselves need them. What was chosen comes back with the page. */
export function KeyHelp({ isOn }: { isOn: boolean }) {
  return (
    <>
      <button
        type="button"
        popoverTarget="key-help"
        className="inline-flex min-h-6 items-center gap-1 hover:text-ink"
      >
        <Key>?</Key> keys{isOn ? "" : " (off)"}
      </button>
      <div
        id="key-help"
        popover="auto"
        role="dialog"
        aria-labelledby="key-help-title"
        className="m-auto w-90 max-w-full box p-5 text-small text-ink backdrop:bg-canvas/70"
      >
        <h2 id="key-help-title" className="text-lead font-semibold">
          Keyboard shortcuts
        </h2>
        <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-2">
          {keyHelp.map(({ keys, does }) => (
            <div key={keys} className="contents">
              <dt className="font-semibold">{keys}</dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
        <form action={chooseKeys} className="mt-4 border-t border-line pt-4">
          <Button type="submit" look="secondary" name="keys" value={isOn ? "off" : "on"}>
            Switch them {isOn ? "off" : "on"}
          </Button>
        </form>
      </div>
    </>
  );
}
