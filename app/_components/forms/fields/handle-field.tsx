"use client";

import { useState } from "react";
import { useFormState } from "../form";
import { Field } from "./field";

/** The handle of a new profile, which shows the DID that it becomes. */
export function HandleField({ namespace }: { namespace: string }) {
  const refused = useFormState().values.handle;
  const [typed, setTyped] = useState<string>();
  const handle = (typed ?? refused)?.trim() || "handle";
  return (
    <Field
      name="handle"
      label="Handle"
      exact
      maxLength={64}
      required
      onChange={({ target }) => setTyped(target.value)}
      hint={
        <>
          The profile becomes{" "}
          <span className="font-mono break-all">
            did:prof:user:{namespace}:{handle}
          </span>
          . This cannot be changed later.
        </>
      }
    />
  );
}
