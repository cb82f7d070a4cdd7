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
import { Icon } from "../icon";
import { Notice } from "../states/notice";

/** What was done, and how to undo it. */
interface ToastMessage {
  message: string;
  undo?: Undo;
}

/** Names a change to the server action that takes it back. */
export interface Undo {
  kind: string;
  id: string;
}

interface Toaster {
  /** Used without scripts: the result is shown at the top of the page. */
  post: (form: FormData) => void;
  show: (message: ToastMessage) => void;
  takeBack: (undo: Undo) => void;
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
    <button type="submit" className="link font-medium">
      Undo
    </button>
  );
}

interface Shown extends ToastMessage {
  key: number;
  tone: "info" | "danger";
  /** Whether the person must confirm first that it is them. */
  mustConfirm?: boolean;
}

const undoMs = 10_000;
const shownMax = 3;

/** Shows results that must outlive the form they came from. Each can be undone for ten seconds. */
export function Toasts({ undo, children }: { undo: UndoAction; children: ReactNode }) {
  const { shown, drop, posted, toaster } = useToasts(undo);
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
          <ToastCard
            key={one.key}
            toast={one}
            drop={() => drop(one.key)}
            takeBack={toaster.takeBack}
          />
        ))}
        {/* Not on a card that is decided: above it on a phone, else over the queue beside it. */}
        <Toast.Viewport className="fixed right-4 bottom-4 left-4 z-20 flex flex-col gap-2 sm:left-auto sm:w-96 in-[body:has([data-acts])]:max-rail:top-1 in-[body:has([data-acts])]:max-rail:bottom-auto in-[body:has([data-acts])]:rail:right-auto in-[body:has([data-acts])]:rail:bottom-15 in-[body:has([data-acts])]:rail:left-18 in-[body:has([data-acts])]:rail:w-58 in-[body:has([data-acts])]:full:left-56 in-[body:has([data-acts])]:full:w-72" />
      </Toast.Provider>
    </Current>
  );
}

function useToasts(undo: UndoAction) {
  const [shown, setShown] = useState<Shown[]>([]);
  const keys = useRef(0);
  const scope = useScope();
  // Here, because a page that answers a posted undo no longer has what offered it.
  const [posted, post] = useActionState(undo, untouched);
  const drop = (key: number) => setShown((before) => before.filter((one) => one.key !== key));
  const toaster = useMemo((): Toaster => {
    const add = (one: Omit<Shown, "key">) => {
      keys.current += 1;
      const key = keys.current;
      setShown((before) => [...before, { ...one, key }].slice(-shownMax));
    };
    const takeBack = async (what: Undo) => {
      const form = new FormData();
      form.set("kind", what.kind);
      form.set("id", what.id);
      if (scope !== null) form.set("profile", scope);
      const { ok, message, confirm } = await undo(untouched, form).catch(() => unreachable);
      const mustConfirm = typeof confirm === "string";
      add({ message: message ?? "", tone: ok || mustConfirm ? "info" : "danger", mustConfirm });
    };
    return {
      post,
      show: (message) => add({ ...message, tone: "info" }),
      takeBack: (what) => void takeBack(what),
    };
  }, [undo, post, scope]);
  return { shown, drop, posted, toaster };
}

interface ToastCardProps {
  toast: Shown;
  drop: () => void;
  takeBack: Toaster["takeBack"];
}

function ToastCard({
  toast: { message, tone, undo, mustConfirm },
  drop,
  takeBack,
}: ToastCardProps) {
  const isDanger = tone === "danger";
  return (
    <Toast.Root
      type="foreground"
      onOpenChange={(open) => open || drop()}
      className={`flex items-center gap-3 rounded-box border px-4 py-2 shadow-float ${isDanger ? "border-danger bg-danger-soft text-danger" : "border-ink bg-ink text-on-ink"}`}
    >
      <Icon icon={isDanger ? "warning" : "check"} />
      <Toast.Description className="min-w-0 flex-1 wrap-anywhere">
        {message} {mustConfirm && <MustConfirm />}
      </Toast.Description>
      {undo !== undefined && (
        <button
          type="button"
          onClick={() => {
            drop();
            takeBack(undo);
          }}
          className="min-h-9 rounded-control border border-current px-3 font-semibold max-rail:min-h-11"
        >
          Undo
        </button>
      )}
      <Toast.Close
        aria-label="Close this message"
        className="min-h-9 rounded-control px-2 max-rail:min-h-11"
      >
        <Icon icon="x" className="size-4" />
      </Toast.Close>
    </Toast.Root>
  );
}
