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
  const { agent, ends } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const title = useId();
  const isBlock = ends.length === 0;
  useEffect(() => {
    if (location.hash !== `#${id}`) return;
    // Once: an undo draws this again.
    history.replaceState(null, "", location.pathname);
    dialog.current?.showPopover();
  }, []);
  return (
    <Form action={removeAccessAction} className="">
      <input type="hidden" name="agentDid" value={agent.did} />
      {isBlock && <input type="hidden" name="blocks" value="on" />}
      <Button look="danger" popoverTarget={id}>
        <Icon icon="prohibit" className="size-4" />
        {isBlock ? "Block…" : "Remove access…"}
      </Button>
      <dialog
        ref={dialog}
        id={id}
        popover="auto"
        aria-labelledby={title}
        className="m-auto w-130 max-w-[calc(100vw-2rem)] box bg-lifted p-6 wrap-anywhere text-ink shadow-float backdrop:bg-[#00000080]"
      >
        <Question {...props} title={title} />
        <div className="mt-5 flex flex-wrap justify-between gap-3">
          <Button
            look="secondary"
            popoverTarget={id}
            popoverTargetAction="hide"
            autoFocus
            ref={focused}
            className="focus:shadow-[0_0_0_6px_var(--color-signal)] focus:outline-2 focus:outline-offset-2 focus:outline-ink"
          >
            Keep it
          </Button>
          <SubmitButton look="end" onClick={() => dialog.current?.hidePopover()}>
            {isBlock ? "Block it" : "Remove access"}
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

function Question(props: RemoveAccessProps & { title: string }) {
  const { agent, ends, title } = props;
  const isBlock = ends.length === 0;
  return (
    <>
      <h2 id={title} className="flex items-center gap-3.5 text-lead font-bold">
        <Identicon did={agent.did} className="size-11" />
        <span>
          {isBlock ? "Block " : "Remove the access of "}
          <InertText text={agent.label} />?
        </span>
      </h2>
      {isBlock && (
        <p className="mt-4">
          {props.reads === null
            ? "The agent reads nothing now. Blocking keeps it so, whatever your rules say."
            : "The agent reads by your rules alone. Blocking it closes them to this agent only."}
        </p>
      )}
      <Lines title="This ends now" lines={isBlock ? blocked(props) : ends} />
      <Lines title="This stays" lines={staying(isBlock)} />
      {!isBlock && (
        <label className="mt-4 flex items-start gap-3">
          <input type="checkbox" name="blocks" className="switch" />
          <span>
            <span className="font-semibold">Block the agent as well:</span> it can read, ask and
            propose nothing, whatever your rules say.
            {props.proposals > 0 && ` ${rejectedWords(props.proposals)}.`}
          </span>
        </label>
      )}
    </>
  );
}

/** What blocking ends, whatever the owner's rules say. */
function blocked({ reads, proposals }: RemoveAccessProps): End[] {
  const ends: (End | false)[] = [
    reads !== null && { icon: "eye-slash", words: `It can no longer read ${reads}` },
    { icon: "hand", words: "It can no longer ask or propose" },
    proposals > 0 && { icon: "tray", words: rejectedWords(proposals) },
  ];
  return ends.filter((one) => one !== false);
}

function rejectedWords(proposals: number): string {
  return proposals === 1
    ? "Its proposal that waits is rejected"
    : `Its ${counted(proposals, "proposal")} that wait are rejected`;
}

function staying(isBlock: boolean): End[] {
  return [
    {
      icon: "signpost",
      words: isBlock ? "Your rules for all other agents" : "Your rules, and what they let it read",
    },
    { icon: "stack", words: "The memories you kept from its proposals" },
    { icon: "eye", words: "What it has read before: it may keep a copy" },
  ];
}

function Lines({ title, lines }: { title: string; lines: End[] }) {
  return (
    <>
      <h3 className="mt-4 font-semibold">{title}</h3>
      <ul className="mt-1 divide-y divide-line border-t border-line">
        {lines.map(({ icon, words }) => (
          <li key={words} className="flex items-start gap-3 py-2">
            <Icon icon={icon} />
            {words}
          </li>
        ))}
      </ul>
    </>
  );
}
