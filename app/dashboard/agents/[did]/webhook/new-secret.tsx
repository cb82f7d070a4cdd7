"use client";

import { CopyButton } from "../../../../_components/copy-button";
import { useFormState } from "../../../../_components/forms/form";
import { useGone } from "../../../../_components/forms/use-gone";
import type { ShownSecret } from "./actions";

/** The secret that the form around it has brought. No other answer of the gateway has it. */
export function NewSecret() {
  const { secret } = useFormState<ShownSecret>().shown ?? {};
  const isGone = useGone();
  if (secret === undefined || isGone) return null;
  return (
    <div className="flex flex-col gap-2">
      <p>The receiver checks messages with this secret. It is shown this once.</p>
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-box border border-line bg-sunken px-3 py-2">
        <output aria-label="Secret" className="min-w-0 font-mono text-small break-all select-all">
          {secret}
        </output>
        <CopyButton text={secret} what="Secret" />
      </div>
    </div>
  );
}
