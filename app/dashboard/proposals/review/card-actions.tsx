"use client";

import { type ReactNode, useId, useState } from "react";
import { Button } from "../../../_components/button";
import { visibleText } from "../../../_components/words/inert";
import { DiffView } from "./diff-view";
import { type Sending, Verdict } from "./verdict";

/** What a form of this card was sent, and why it was refused. */
export interface CardState {
  message: string | null;
  issues: Record<string, string>;
  values: Record<string, string>;
}

interface CardActionsProps extends Sending {
  id: string;
  content: string;
  state: CardState | null;
  isSending: boolean;
}

export function CardActions({ id, content, state, isSending, ...send }: CardActionsProps) {
  const values = state?.values ?? {};
  const form = { id, ...send };
  return (
    <div className="mt-5 border-t border-line pt-4">
      {state?.message && (
        <p role="alert" className="mb-3 text-danger">
          {state.message}
        </p>
      )}
      <div className="flex flex-wrap gap-2 sm:gap-3">
        <Verdict {...form} intent="approve">
          <Button type="submit" disabled={isSending}>
            Approve
          </Button>
        </Verdict>
        <Panel
          group={id}
          label={
            <>
              Edit<span className="whitespace-pre max-sm:hidden"> and approve</span>
            </>
          }
          isOpen={values.editedContent !== undefined}
          kind="edit"
        >
          <Verdict {...form} intent="edit">
            <Editor content={content} state={state} />
          </Verdict>
        </Panel>
        <Panel group={id} label="Reject" isOpen={values.reason !== undefined} kind="reject">
          <Verdict {...form} intent="reject">
            <Rejection state={state} />
          </Verdict>
        </Panel>
      </div>
    </div>
  );
}

interface PanelProps {
  group: string;
  kind: "edit" | "reject";
  label: ReactNode;
  isOpen: boolean;
  children: ReactNode;
}

// Only one panel of a card is open at a time. A <details> opens without scripts.
function Panel({ group, kind, label, isOpen, children }: PanelProps) {
  return (
    <details
      name={group}
      open={isOpen}
      data-panel={kind}
      className="group open:order-last open:basis-full"
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.currentTarget.open = false;
        event.currentTarget.closest<HTMLElement>("article")?.focus();
      }}
    >
      <summary className="inline-flex min-h-10 list-none items-center rounded-box border border-edge bg-surface px-4 font-medium hover:bg-sunken">
        <span className="group-open:hidden">{label}…</span>
        <span className="hidden group-open:inline">Close</span>
      </summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}

function Editor({ content, state }: { content: string; state: CardState | null }) {
  const id = useId();
  const [text, setText] = useState(() => state?.values.editedContent ?? visibleText(content));
  const issue = state?.issues.editedContent;
  return (
    <div className="flex flex-col gap-3">
      <label htmlFor={id} className="font-medium">
        What to remember instead
      </label>
      <textarea
        id={id}
        name="editedContent"
        value={text}
        required
        onChange={(event) => setText(event.target.value)}
        rows={Math.min(12, Math.max(2, Math.ceil(text.length / 70)))}
        aria-invalid={issue !== undefined}
        aria-describedby={issue === undefined ? undefined : `${id}-issue`}
        className="w-full rounded-box border border-edge bg-surface px-3 py-2 text-base aria-invalid:border-danger sm:text-sm"
      />
      {issue !== undefined && (
        <p id={`${id}-issue`} className="text-danger">
          {issue}
        </p>
      )}
      <DiffView before={content} after={text} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Approve with changes</Button>
        <noscript>
          <Button type="submit" look="secondary" name="intent" value="preview">
            Show the changes
          </Button>
        </noscript>
      </div>
    </div>
  );
}

function Rejection({ state }: { state: CardState | null }) {
  const id = useId();
  const issue = state?.issues.reason;
  return (
    <div className="flex flex-col gap-3">
      <label htmlFor={id} className="font-medium">
        Why not <span className="font-normal text-muted">(optional; the agent can read it)</span>
      </label>
      <input
        id={id}
        name="reason"
        defaultValue={state?.values.reason}
        maxLength={500}
        autoComplete="off"
        aria-invalid={issue !== undefined}
        aria-describedby={issue === undefined ? undefined : `${id}-issue`}
        className="min-h-10 w-full rounded-box border border-edge bg-surface px-3 text-base aria-invalid:border-danger sm:text-sm"
      />
      {issue !== undefined && (
        <p id={`${id}-issue`} className="text-danger">
          {issue}
        </p>
      )}
      <div>
        <Button type="submit" look="danger">
          Reject
        </Button>
      </div>
    </div>
  );
}
