import type { ReactNode } from "react";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { Seen } from "@/app/_components/forms/seen";
import { InertText } from "@/app/_components/shown/inert-text";
import type { ActionState } from "@/lib/http/session/action";
import { typedOf } from "./typed-value";
import { ValueFields } from "./value-fields";

type Action = (state: ActionState, form: FormData) => Promise<ActionState>;

interface ValueRowProps {
  name: string;
  value: unknown;
  version: string;
  change: Action;
  remove: Action;
  /** Hidden fields that name the value to the actions. */
  children: ReactNode;
}

/** A named value, to read and to change. A <details> opens without scripts. */
export function ValueRow({ name, value, version, change, remove, children }: ValueRowProps) {
  return (
    <li className="py-3">
      <details className="group">
        <summary className="flex min-h-10 list-none flex-wrap items-start justify-between gap-x-4 gap-y-1">
          <span className="min-w-0 flex-1 basis-48">
            <span className="block font-medium wrap-anywhere">
              <InertText text={name} />
            </span>
            <Shown value={value} />
          </span>
          <span className="rounded-box border border-edge px-3 py-1.5 font-medium group-open:bg-sunken">
            <span className="group-open:hidden">
              Change<span className="sr-only"> {name}</span>
            </span>
            <span className="hidden group-open:inline">
              Close<span className="sr-only"> {name}</span>
            </span>
          </span>
        </summary>
        <div className="mt-3 flex flex-col gap-3 rounded-box bg-sunken p-4">
          <Form action={change} className="flex flex-col gap-4">
            {children}
            <Seen version={version} />
            <ValueFields value={value} />
            <SubmitButton>Save</SubmitButton>
          </Form>
          <Form action={remove} className="">
            {children}
            <Seen version={version} />
            <SubmitButton look="danger">
              Remove<span className="sr-only"> {name}</span>
            </SubmitButton>
          </Form>
        </div>
      </details>
    </li>
  );
}

const shownMax = 400;

function Shown({ value }: { value: unknown }) {
  const { kind, text } = typedOf(value);
  const words = kind === "list" ? text.split("\n").join(", ") || "Empty list" : text;
  const cut = words.length > shownMax ? `${words.slice(0, shownMax)}…` : words;
  return (
    <span className={`block text-muted ${kind === "json" ? "font-mono text-xs" : ""}`}>
      <InertText text={kind === "yes-no" ? (value === true ? "Yes" : "No") : cut} lines />
    </span>
  );
}
