"use client";

import { type ReactNode, useState } from "react";
import { redirectName } from "@/lib/oauth/redirects";
import { AnswerForm, type AnswerShown } from "../../access/request/answer-form";
import { answerAction } from "./actions";

interface ConnectFormProps {
  name: string;
  clock: AnswerShown["clock"];
  /** Null once the question is over. */
  asking: Omit<AskingShown, "clock"> | null;
  over: ReactNode;
}

interface AskingShown extends AnswerShown {
  /** Whether the client asks to propose, too. */
  proposes: boolean;
}

const nothing = { choices: [], switches: [], head: null, rest: null };

/**
 * The answer to a client. A browser follows no redirect of a form to another site, so the page goes on itself. Without
 * scripts, what comes back is the page of a question that is over, with the link in it.
 */
export function ConnectForm({ name, clock, asking, over }: ConnectFormProps) {
  const [redirectTo, setRedirectTo] = useState<string | null>(null);
  if (redirectTo !== null) return <GoingOn redirectTo={redirectTo} />;
  return (
    <AnswerForm
      {...(asking ?? nothing)}
      clock={clock}
      action={answerAction}
      subject={{ name: "name", value: name }}
      done={(state) => {
        if (state.shown === undefined) return;
        setRedirectTo(state.shown.redirectTo);
        window.location.replace(state.shown.redirectTo);
      }}
      instead={(state) => {
        if (state.shown !== undefined) return <GoingOn redirectTo={state.shown.redirectTo} />;
        return asking === null ? over : null;
      }}
      more={
        asking?.proposes
          ? (values) => <MayPropose isOn={values.proposes !== undefined} />
          : undefined
      }
    />
  );
}

function MayPropose({ isOn }: { isOn: boolean }) {
  return (
    <label className="part flex min-h-11 items-center gap-2.5">
      <input
        key={String(isOn)}
        type="checkbox"
        name="proposes"
        defaultChecked={isOn}
        className="switch"
      />
      <span>
        <span className="font-semibold">It may propose memories</span>{" "}
        <span className="text-small text-muted">
          in what you switch on, and wherever your rules let agents propose; you decide each.
        </span>
      </span>
    </label>
  );
}

function GoingOn({ redirectTo }: { redirectTo: string }) {
  return (
    <section role="status" className="px-4 py-6 rail:col-start-2 rail:px-8">
      <h1 className="text-title font-semibold tracking-tight">Your answer is on its way</h1>
      <p className="mt-1.5">
        If nothing happens,{" "}
        <a href={redirectTo} className="link font-medium">
          go on to {redirectName(redirectTo)}
        </a>
        . You can close this page then.
      </p>
    </section>
  );
}
