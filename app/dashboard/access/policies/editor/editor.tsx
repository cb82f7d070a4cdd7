"use client";

import { type ComponentProps, useState } from "react";
import { ButtonLink } from "../../../../_components/button";
import { Form, SubmitButton } from "../../../../_components/forms/form";
import { saveAction } from "../actions";
import { AgentPicker, type KnownAgent } from "./agent-picker";
import { Conditions } from "./conditions";
import { DraftEffect, ShowEffect, useDraft } from "./draft-effect";
import type { Choice, Values } from "./fields";
import { InitialValues } from "./form-values";
import { Scopes } from "./scopes";

export interface EditorProps extends ComponentProps<typeof Conditions> {
  initial: Values;
  /** Left out for a new rule. */
  edited?: { policyId: string; shownAs: string };
  agents: KnownAgent[];
  /** The number of agents in total; `agents` holds the first of them. */
  agentCount: number;
  categories: Choice[];
}

/** A rule as a form, with what it would change beside it. */
export function Editor({
  agents,
  agentCount,
  categories,
  purposes,
  retentions,
  ...rule
}: EditorProps) {
  // The page refreshes itself when something changes; what is being edited stays what was opened.
  const [{ initial, edited, kept }] = useState(rule);
  const { preview, fields, look } = useDraft();
  return (
    <InitialValues values={initial}>
      <Form
        action={saveAction}
        className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]"
      >
        <div ref={fields} onChange={look} className="flex min-w-0 flex-col gap-6">
          {edited !== undefined && (
            <>
              <input type="hidden" name="policyId" value={edited.policyId} />
              <input type="hidden" name="shownAs" value={edited.shownAs} />
            </>
          )}
          <AgentPicker agents={agents} agentCount={agentCount} />
          <Scopes categories={categories} />
          <Conditions purposes={purposes} retentions={retentions} kept={kept} />
        </div>
        <div onChange={look} className="min-w-0 lg:sticky lg:top-6 lg:row-span-2">
          <DraftEffect preview={preview} agents={agents}>
            <ShowEffect />
          </DraftEffect>
        </div>
        <div className="flex flex-wrap gap-3">
          <SubmitButton name="intent" value="save">
            Save the rule
          </SubmitButton>
          <ButtonLink href="/dashboard/access/policies" look="secondary">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </InitialValues>
  );
}
