import type { ComponentProps, ReactNode } from "react";
import type { Action } from "@/lib/http/session/action";
import type { Button } from "../../_components/button";
import { Card } from "../../_components/card";
import { Field } from "../../_components/forms/fields/field";
import { Form, SubmitButton } from "../../_components/forms/form";

/** What an act is done to: the server action, and the fields that name the thing. */
export interface Target {
  action: Action<unknown>;
  to: Record<string, string>;
}

interface AdminActProps extends Target {
  /** The heading of its card; it has none where it is a part of something else. */
  title?: string;
  intent: string;
  /** What it leads to. */
  words?: ReactNode;
  /** Asks to type this first: "its DID". */
  sure?: string;
  button: string;
  look?: ComponentProps<typeof Button>["look"];
  className?: string;
  /** Further fields. */
  children?: ReactNode;
}

/** One act of an admin: what it leads to, what it needs, and its button. */
export function AdminAct({
  title,
  action,
  to,
  intent,
  words,
  sure,
  button,
  ...act
}: AdminActProps) {
  const form = (
    <Form action={action} className={act.className ?? "flex flex-col gap-3"}>
      {Object.entries({ ...to, intent }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {words && <p className="max-w-prose text-muted">{words}</p>}
      {act.children}
      {sure !== undefined && <Field name="typed" label={`Type ${sure} to be sure`} exact />}
      <SubmitButton look={act.look ?? "secondary"}>{button}</SubmitButton>
    </Form>
  );
  return title === undefined ? form : <Card title={title}>{form}</Card>;
}

type State = "active" | "suspended";
type SuspensionProps = Target & { state: State; words: Record<State, string> };

export function Suspension({ state, words, ...target }: SuspensionProps) {
  const act =
    state === "active"
      ? ({ title: "Suspend", intent: "suspend", button: "Suspend", look: "danger" } as const)
      : ({ title: "Suspended", intent: "resume", button: "Resume", look: "primary" } as const);
  return <AdminAct {...target} {...act} words={words[state]} />;
}

export function Deletion(act: Target & { words: string; sure: string }) {
  return (
    <AdminAct {...act} title="Delete" intent="delete" button="Delete for good" look="danger" />
  );
}
