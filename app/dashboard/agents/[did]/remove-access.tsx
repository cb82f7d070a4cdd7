"use client";

import { useEffect, useId, useRef } from "react";
import { Button } from "../../../_components/button";
import { Form, SubmitButton } from "../../../_components/forms/form";
import { Icon } from "../../../_components/icon";
import { Identicon } from "../../../_components/shown/identicon";
import { InertText } from "../../../_components/shown/inert-text";
import { counted } from "../../../_components/words/list";
import { removeAccessAction } from "../actions";
import type { End } from "./ends-of";

interface RemoveAccessProps {
  agent: { did: string; label: string };
  /** All that ends with its access, and nothing else. */
  ends: End[];
  /** What is open to it now; null for nothing. */
  reads: string | null;
  /** How many of its proposals wait. */
  proposals: number;
}

const id = "remove-access";

/** The one red act. Its question is a popover, so it opens without scripts; an address may open it too. */
export function RemoveAccess(props: RemoveAccessProps) {
  const { agent } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  useEffect(() => {
    if (location.hash !== `#${id}`) return;
    // Once: an undo draws this again.
    history.replaceState(null, "", location.pathname);
    dialog.current?.showPopover();
  }, []);
  return (
    <Form action={removeAccessAction} className="">
      <input type="hidden" name="agentDid" value={agent.did} />
      <Button look="danger" popoverTarget={id}>
        <Icon icon="sign-out" className="size-4" />
        Remove access…
      </Button>
      <dialog
        ref={dialog}
        id={id}
        popover="auto"
        aria-labelledby={title}
        className="m-auto w-130 max-w-[calc(100vw-2rem)] box bg-lifted p-6 wrap-anywhere text-ink shadow-float backdrop:bg-[#00000080]"
      >
        <h2 id={title} className="flex items-center gap-3.5 text-lead font-bold">
          <Identicon did={agent.did} className="size-11" />
          <span>
            Remove the access of <InertText text={agent.label} />?
          </span>
        </h2>
        <Question {...props} />
        <div className="mt-5 flex flex-wrap justify-between gap-3">
          <Button
            look="secondary"
            popoverTarget={id}
            popoverTargetAction="hide"
            autoFocus
            ref={focused}
          >
            Keep it
          </Button>
          <SubmitButton look="end" onClick={() => dialog.current?.hidePopover()}>
            {props.ends.length === 0 ? "Block it" : "Remove access"}
          </SubmitButton>
        </div>
      </dialog>
    </Form>
  );
}

// React writes the attribute in the first page only; the popover looks for it each time it opens.
function focused(button: HTMLButtonElement | null): void {
  if (button !== null) button.autofocus = true;
}

function Question(props: RemoveAccessProps) {
  const { ends } = props;
  return (
    <>
      {ends.length === 0 ? (
        <p className="mt-4">
          Nothing that was granted to it is in force: what it may do comes from your own rules, so
          only blocking ends it.
        </p>
      ) : (
        <>
          <h3 className="mt-4 font-semibold">This ends now</h3>
          <ul className="mt-1 divide-y divide-line border-t border-line">
            {ends.map(({ icon, words }) => (
              <li key={words} className="flex items-start gap-3 py-2">
                <Icon icon={icon} />
                {words}
              </li>
            ))}
          </ul>
        </>
      )}
      <p className="mt-3 text-muted">
        Your rules stay, and so do the memories that you kept from it. What it has read before stays
        with it.
      </p>
      <Block {...props} />
    </>
  );
}

function Block({ ends, reads, proposals }: RemoveAccessProps) {
  const rejected =
    proposals === 1
      ? "its proposal that waits is rejected"
      : `its ${counted(proposals, "proposal")} that wait are rejected`;
  const words = `whatever your rules say, it reads, asks and proposes nothing more${
    reads === null ? "" : `, ${reads} close to it`
  }${proposals === 0 ? "" : `, and ${rejected}`}.`;
  if (ends.length === 0) {
    return (
      <p className="mt-3">
        <input type="hidden" name="blocks" value="on" />
        <span className="font-semibold">If you block it,</span> {words}
      </p>
    );
  }
  return (
    <label className="mt-4 flex items-start gap-3">
      <input type="checkbox" name="blocks" className="switch" />
      <span>
        <span className="font-semibold">Block it as well:</span> {words}
      </span>
    </label>
  );
}
