"use client";

import { Toast } from "radix-ui";
import {
  createContext,
  type ReactNode,
  useActionState,
  useContext,
  useMemo,
  useRef,
  useState,
} from "react";
import { ConfirmLink } from "../forms/confirm";
import { type FormState, unreachable, untouched } from "../forms/form-state";
import { OfProfile, useScope } from "../forms/scope";
import { Notice } from "../notice";

/** What was done, and how to undo it. */
export interface ToastMessage {
  message: string;
  undo?: Undo;
  /** Called once it was taken back. */
  undone?: () => void;
  /** Whether the person must confirm first that it is them. */
  mustConfirm?: boolean;
}

/** Names a change to the server action that takes it back. */
export interface Undo {
  kind: string;
  id: string;
}

export interface Toaster {
  /** Used without scripts: the result is shown at the top of the page. */
  post: (form: FormData) => void;
  show(message: ToastMessage): void;
  takeBack(undo: Undo): void;
  /** Takes back what was told last, where it still can be. */
  undoLatest(): void;
}

type UndoAction = (state: FormState, form: FormData) => Promise<FormState>;

const Current = createContext<Toaster | null>(null);

/** Null where a page has no place for toasts: then a form tells its result itself. */
export function useToaster(): Toaster | null {
  return useContext(Current);
}

interface TakeBackProps {
  undo: Undo;
  /** Its button; one that says Undo where it is left out. */
  children?: ReactNode;
}

/** A form that takes a change back; before scripts run it is posted, and the page's head tells the rest. */
export function TakeBack({ undo, children = <UndoButton /> }: TakeBackProps) {
  const toaster = useToaster();
  if (toaster === null) return null;
  return (
    <form
      action={toaster.post}
      onSubmit={(event) => {
        event.preventDefault();
        toaster.takeBack(undo);
      }}
    >
      <OfProfile />
      <input type="hidden" name="kind" value={undo.kind} />
      <input type="hidden" name="id" value={undo.id} />
      {children}
    </form>
  );
}

function MustConfirm() {
  return <ConfirmLink>Confirm, then repeat it</ConfirmLink>;
}

function UndoButton() {
  return (
    <button type="submit" className="font-medium text-accent underline underline-offset-4">
      Undo
    </button>
  );
}

interface Shown extends ToastMessage {
  key: number;
  tone: "info" | "danger";
}

const undoMs = 10_000;
const shownMax = 3;

/** Where results are told that must outlive the form they came from. Each can be undone for ten seconds. */
export function Toasts({ undo, children }: { undo: UndoAction; children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([]);
  const latest = useRef(shown);
  latest.current = shown;
  const keys = useRef(0);
  const scope = useScope();
  // Here, because a page that answers a posted undo no longer has what offered it.
  const [posted, post] = useActionState(undo, untouched);
  const toaster = useMemo(() => {
    const add = (one: Omit<Shown, "key">) => {
      keys.current += 1;
      const key = keys.current;
      setShown((before) => [...before, { ...one, key }].slice(-shownMax));
    };
    const drop = (key: number) => setShown((before) => before.filter((one) => one.key !== key));
    const takeBack = async (what: Undo, undone?: () => void) => {
      const form = new FormData();
      form.set("kind", what.kind);
      form.set("id", what.id);
      if (scope !== null) form.set("profile", scope);
      const { ok, message, confirm } = await undo(untouched, form).catch(() => unreachable);
      const mustConfirm = typeof confirm === "string";
      add({ message: message ?? "", tone: ok || mustConfirm ? "info" : "danger", mustConfirm });
      if (ok) undone?.();
    };
    return {
      post,
      show: (message: ToastMessage) => add({ ...message, tone: "info" }),
      takeBack: (what: Undo) => void takeBack(what),
      drop,
      undoShown(one: Shown) {
        drop(one.key);
        if (one.undo !== undefined) void takeBack(one.undo, one.undone);
      },
      undoLatest() {
        const last = latest.current.findLast((one) => one.undo !== undefined);
        if (last !== undefined) this.undoShown(last);
      },
    };
  }, [undo, post, scope]);
  return (
    <Current value={toaster}>
      <Toast.Provider duration={undoMs} label="Result" swipeDirection="right">
        {posted.message !== null && (
          <div className="p-4">
            <Notice tone={posted.ok || typeof posted.confirm === "string" ? "info" : "danger"}>
              {posted.message} {typeof posted.confirm === "string" && <MustConfirm />}
            </Notice>
          </div>
        )}
        {children}
        {shown.map((one) => (
          <Toast.Root
            key={one.key}
            type="foreground"
            onOpenChange={(open) => open || toaster.drop(one.key)}
            className={`flex items-center gap-3 rounded-box border bg-lifted px-4 py-2 shadow-raised ${one.tone === "danger" ? "border-danger text-danger" : "border-edge text-ink"}`}
          >
            <Toast.Description className="min-w-0 flex-1 wrap-anywhere">
              {one.message} {one.mustConfirm && <MustConfirm />}
            </Toast.Description>
            {one.undo !== undefined && (
              <button
                type="button"
                onClick={() => toaster.undoShown(one)}
                className="min-h-10 rounded-box px-3 font-medium text-accent hover:bg-sunken"
              >
                Undo
              </button>
            )}
            <Toast.Close
              aria-label="Close this message"
              className="min-h-10 rounded-box px-2 text-muted hover:bg-sunken hover:text-ink"
            >
              <svg viewBox="0 0 12 12" className="size-3" aria-hidden="true">
                <path d="m2 2 8 8M10 2l-8 8" stroke="currentColor" strokeWidth="1.5" />
              </svg>
            </Toast.Close>
          </Toast.Root>
        ))}
        <Toast.Viewport className="fixed right-4 bottom-4 left-4 z-20 flex flex-col gap-2 sm:left-auto sm:w-96" />
      </Toast.Provider>
    </Current>
  );
}
