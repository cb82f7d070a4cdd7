"use client";

import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Button } from "../../../../_components/button";
import { useFormState } from "../../../../_components/forms/form";
import { untouched } from "../../../../_components/forms/form-state";
import { Lens } from "../../../lens/lens";
import { saveAction } from "../actions";
import { Effect } from "../effect/effect";
import type { DraftPreview } from "../effect/preview";
import type { KnownAgent } from "./agent-picker";
import { Select } from "./form-values";

const stillMs = 300;

type Preview = { shown: DraftPreview | null; missing: string | null };

/** Asks again whenever the form rests; the newest question's answer is shown. */
export function useDraft() {
  const [preview, setPreview] = useState<Preview | null>(null);
  const fields = useRef<HTMLDivElement>(null);
  const requests = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const look = useCallback(() => {
    clearTimeout(timer.current);
    const turn = ++requests.current;
    timer.current = setTimeout(() => {
      const form = fields.current?.closest("form");
      if (!form) return;
      const typed = new FormData(form);
      typed.set("intent", "preview");
      saveAction(untouched, typed).then(
        ({ ok, shown, issues }) => {
          if (turn !== requests.current) return;
          const [missing = null] = Object.values(issues);
          setPreview((before) => ({
            shown: ok ? (shown ?? null) : (before?.shown ?? null),
            missing: ok ? null : missing,
          }));
        },
        // Where there is no answer, what was shown stays, and saving still tells.
        () => undefined,
      );
    }, stillMs);
  }, []);
  // Also counts choices made before the scripts ran.
  useEffect(() => {
    if (fields.current?.querySelector("[name=who]:checked")) look();
  }, [look]);
  return { preview, fields, look };
}

interface DraftEffectProps {
  preview: Preview | null;
  agents: KnownAgent[];
  children: ReactNode;
}

/** Shows what saving the form would change. */
export function DraftEffect({ preview, agents, children }: DraftEffectProps) {
  const posted = useFormState().shown as DraftPreview | undefined;
  const shown = preview?.shown ?? posted ?? null;
  const missing = preview?.missing ?? null;
  const agent = agents.find(({ did }) => did === shown?.lens?.agentDid);
  return (
    <div className="flex flex-col gap-5">
      <section
        aria-labelledby="effect"
        className="flex flex-col gap-3 rounded-box bg-sunken p-4 sm:p-5"
      >
        <h2 id="effect" className="font-medium">
          What this would change
        </h2>
        <div aria-live="polite">
          {shown === null || missing !== null ? (
            <p className="text-muted">
              {missing ?? "Choose what the rule is about, and this tells who gains what by it."}
            </p>
          ) : (
            <Effect view={shown.effect} />
          )}
        </div>
      </section>
      {agents.length > 0 && (
        <Select
          name="lookAs"
          label="See your profile as"
          options={[
            { value: "", text: "Nobody" },
            ...agents.map(({ did, text }) => ({ value: did, text })),
          ]}
        />
      )}
      {children}
      {shown?.lens && agent && missing === null && (
        <Lens view={shown.lens.view} agentName={agent.text} summary={shown.lens.summary} />
      )}
    </div>
  );
}

export function ShowEffect() {
  return (
    <noscript>
      <Button type="submit" look="secondary" name="intent" value="preview">
        Show the effect
      </Button>
    </noscript>
  );
}
