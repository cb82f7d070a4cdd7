"use client";

import {
  createContext,
  type ReactNode,
  useActionState,
  useContext,
  useEffect,
  useRef,
} from "react";
import { Button } from "../../_components/button";
import { Notice } from "../../_components/notice";
import { InertText } from "../../_components/shown/inert-text";
import { disconnectAction } from "./actions";

type Dispatch = (form: FormData) => void;

const End = createContext<Dispatch | null>(null);
const untouched = { ok: true, message: null, issues: {}, values: {} };

// The agent leaves the list when it is disconnected, so what became of it is told above the list.
export function Disconnections({ children }: { children: ReactNode }) {
  const [state, dispatch] = useActionState(disconnectAction, untouched);
  const told = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.message !== null) told.current?.focus();
  }, [state]);
  return (
    <End value={dispatch}>
      {state.message !== null && (
        <div ref={told} tabIndex={-1} className="mt-4 rounded-box">
          <Notice tone={state.ok ? "info" : "danger"}>{state.message}</Notice>
        </div>
      )}
      {children}
    </End>
  );
}

interface DisconnectProps {
  agentDid: string;
  agentName: string;
  ends: string[];
}

/** Says what will end, and asks once more. A <details>: it opens before scripts do. */
export function Disconnect({ agentDid, agentName, ends }: DisconnectProps) {
  const dispatch = useContext(End);
  return (
    <details className="group open:basis-full open:rounded-box open:border open:border-danger/40 open:bg-danger-soft">
      <summary className="flex min-h-10 list-none items-center rounded-box border border-edge px-4 font-medium group-open:border-0 hover:bg-sunken group-open:hover:bg-transparent">
        Disconnect<span className="sr-only"> {agentName}</span>
        <span className="group-open:hidden">…</span>
      </summary>
      <form action={dispatch ?? undefined} className="px-4 pb-4">
        <p>
          This ends at once, and <InertText text={agentName} /> has to ask again:
        </p>
        <ul className="mt-2 list-disc pl-5">
          {ends.map((end) => (
            <li key={end}>{end}</li>
          ))}
        </ul>
        <p className="mt-2 text-muted">
          What it has read already stays with it. Your general policies, and memories that came from
          it, stay as they are.
        </p>
        <input type="hidden" name="agentDid" value={agentDid} />
        <Button type="submit" look="danger" className="mt-4">
          Disconnect now
        </Button>
      </form>
    </details>
  );
}
