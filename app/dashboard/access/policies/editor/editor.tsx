"use client";

import { type ReactNode, useState } from "react";
import { Form, useFormState } from "../../../../_components/forms/form";
import { DurationSlot, Sentence } from "../../../../_components/pickers/sentence";
import { deeds } from "../../../../_components/pickers/slots";
import { TwoSides } from "../../../../_components/pickers/two-sides";
import { usePreview } from "../../../../_components/pickers/use-preview";
import { InitialValues, useFormValues, type Values } from "../../../../_components/pickers/values";
import { saveAction } from "../actions";
import { Broad, isTyped } from "../effect/broad";
import { Effect } from "../effect/effect";
import type { EffectView } from "../effect/effect-view";
import { Conditions, type RuleChoices } from "./conditions";

interface EditorProps extends RuleChoices {
  initial: Values;
  /** Left out for a new rule. */
  edited?: { policyId: string; shownAs: string };
  /** The head of the page. */
  children: ReactNode;
}

/** A rule as a sentence, with what it would change beside it. */
export function Editor({ initial, edited, children, ...choices }: EditorProps) {
  // The page refreshes itself when something changes; what is being edited stays what was opened.
  const [opened] = useState({ initial, edited, choices });
  return (
    <InitialValues values={opened.initial}>
      <Form action={saveAction} className="min-w-0">
        {opened.edited !== undefined && (
          <>
            <input type="hidden" name="policyId" value={opened.edited.policyId} />
            <input type="hidden" name="shownAs" value={opened.edited.shownAs} />
          </>
        )}
        <Sides {...opened.choices} head={children} />
      </Form>
    </InitialValues>
  );
}

function Sides({ head, ...choices }: RuleChoices & { head: ReactNode }) {
  const { preview, isLive, fields, look } = usePreview<EffectView>(saveAction);
  const values = useFormValues();
  const [typed, setTyped] = useState(values.words ?? "");
  const [isIncomplete, setIncomplete] = useState(isEndMissing(values));
  const broad = preview.shown?.broad ?? null;
  // Without scripts nothing would open the button again; the action refuses in any case.
  const isShut = isLive && broad !== null && !isTyped(typed, broad);
  return (
    <TwoSides
      theirs={<Changes {...preview} />}
      submit={{ intent: "save", words: "Save the rule", isShut, isIncomplete }}
      back="/dashboard/access/policies"
      look="Show the effect"
      note={isIncomplete ? "First choose how long the rule lasts" : "Can be undone for ten minutes"}
    >
      <div
        ref={fields}
        onChange={({ currentTarget }) => {
          look();
          const form = new FormData(currentTarget.closest("form") ?? undefined);
          setIncomplete(isEndMissing(Object.fromEntries(form)));
        }}
        className="group flex flex-col gap-4"
      >
        {head}
        <Sentence
          {...choices}
          deeds={deeds}
          ends={<DurationSlot name="until" others={choices.ends} />}
          identifier={{ placeholder: "did:prof:agent:acme:*", canVerify: true }}
          slots={["except", "purpose", "maxRetention", "receiptSeconds", "until", "expiresAt"]}
        >
          <Conditions {...choices} />
        </Sentence>
        <p className="hidden max-w-prose text-muted group-has-[[name=deed]_[value=never]:checked]:block">
          Whatever another rule says: no reading, no proposing, and no request for it reaches you.
        </p>
        {broad !== null && <Broad view={broad} onType={setTyped} />}
      </div>
    </TwoSides>
  );
}

/** Whether it is still to be chosen how long the rule lasts. */
function isEndMissing({ until = "", untilDay = "" }: Record<string, unknown>): boolean {
  return until === "" || (until === "day" && untilDay === "");
}

function Changes({ shown, missing }: { shown: EffectView | null; missing: string | null }) {
  const isRefused = !useFormState().ok;
  return (
    <section aria-labelledby="effect" className="flex flex-col gap-4">
      <div>
        <h2 id="effect" className="text-lead font-semibold">
          What this changes
        </h2>
        <p className="text-small text-theirs-muted">
          Counted now, and true for what is added while the rule lasts
        </p>
      </div>
      <div aria-live="polite">
        {shown === null ? (
          <p className="text-theirs-muted">
            {(isRefused ? null : missing) ?? "Fill in the sentence to see who gains what by it."}
          </p>
        ) : (
          <Effect view={shown} />
        )}
      </div>
    </section>
  );
}
