"use client";

import { Form, SubmitButton } from "../../../_components/forms/form";
import { InertText } from "../../../_components/shown/inert-text";
import { disconnectAction } from "./actions";

interface DisconnectProps {
  agentDid: string;
  agentName: string;
  /** All that ends, and nothing else. */
  ends: string[];
}

/** Says what will end, and asks once more. A <details>: it opens before scripts do. */
export function Disconnect({ agentDid, agentName, ends }: DisconnectProps) {
  return (
    <Form action={disconnectAction} className="">
      <input type="hidden" name="agentDid" value={agentDid} />
      {ends.length === 0 ? (
        <p className="wrap-anywhere text-muted">
          It holds nothing of its own, so there is nothing to disconnect. What your general policies
          give it changes with those.
        </p>
      ) : (
        <details className="group wrap-anywhere rounded-box border border-edge open:border-danger/40 open:bg-danger-soft">
          <summary className="flex min-h-10 list-none items-center rounded-box px-4 font-medium hover:bg-sunken group-open:hover:bg-transparent">
            Disconnect<span className="group-open:hidden">…</span>
          </summary>
          <div className="px-4 pb-4">
            <p>
              This ends at once, and <InertText text={agentName} /> has to ask again:
            </p>
            <ul className="mt-2 list-disc pl-5">
              {ends.map((end) => (
                <li key={end}>{end}</li>
              ))}
            </ul>
            <p className="mt-2 text-muted">
              What it has read already stays with it. Your general policies, and memories that came
              from it, stay as they are.
            </p>
            <SubmitButton look="danger" className="mt-4">
              Disconnect now
            </SubmitButton>
          </div>
        </details>
      )}
    </Form>
  );
}
