"use client";

import { Toast } from "radix-ui";
import {
  createContext,
  type ReactNode,
  startTransition,
  useActionState,
  useContext,
  useMemo,
  useRef,
  useState,
} from "react";
import { Confirm } from "../forms/confirm";
import {
  type Action,
  type FormState,
  type Undo,
  unreachable,
  untouched,
} from "../forms/form-state";
import { OfProfile } from "../forms/scope";
import { Icon } from "../icon";
import { Notice } from "../states/notice";

/** What was done, and how to undo it. */
interface ToastMessage {
  message: string;
  undo?: Undo;
}

interface Toaster {
  /** Used without scripts: the result is shown at the top of the page. */
  post: (form: FormData) => void;
  show: (message: ToastMessage) => void;
  takeBack: (undo: Undo, form: FormData) => void;
}

const Current = createContext<Toaster | null>(null);

/** Null where a page has no place for toasts: then a form tells its result itself. */
export function useToaster(): Toaster | null {
  return useContext(Current);
}

interface TakeBackProps {
  undo: Undo;
  /** What came of it before: it may have asked for a confirmation. */
  answer?: FormState;
  /** Its button; one that says Undo where it is left out. */
  children?: ReactNode;
  sends?: () => void;
}

/** A form that takes a change back; before scripts run it is posted, and the page's head tells the rest. */
export function TakeBack({
  undo,
  answer = untouched,
  children = <UndoButton />,
  sends,
}: TakeBackProps) {
  const toaster = useToaster();
  if (toaster === null) return null;
  return (
    <form
      action={toaster.post}
      onSubmit={(event) => {
        event.preventDefault();
        toaster.takeBack(undo, new FormData(event.currentTarget));
        sends?.();
      }}
    >
      <OfProfile />
      <input type="hidden" name="kind" value={undo.kind} />
      <input type="hidden" name="id" value={undo.id} />
      <Confirm state={answer} />
      {answer.confirm !== "password" && children}
    </form>
  );
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
  /** Of an undo: it may ask for a confirmation. */
  answer?: FormState;
}

const resultMs = 10_000;
const undoMs = 30_000;
const shownMax = 3;

/** Shows results that must outlive the form they came from. What can be undone stays for half a minute. */
export function Toasts({ undo, children }: { undo: Action<unknown>; children: ReactNode }) {
  const { shown, drop, posted, toaster } = useToasts(undo);
  const { kind = "", id = "" } = posted.values;
  return (
    <Current value={toaster}>
      <Toast.Provider duration={resultMs} label="Result" swipeDirection="right">
        {posted.message !== null && (
          <div className="p-4">
            <Notice tone={toneOf(posted) === "danger" ? "danger" : "info"}>
              {wordsOf(posted)}
              {!posted.ok && <TakeBack undo={{ kind, id }} answer={posted} />}
            </Notice>
          </div>
        )}
        {children}
        {shown.map((one) => (
          <ToastCard key={one.key} toast={one} drop={() => drop(one.key)} />
        ))}
        {/* Not on a card that is decided: above it on a phone, else over the queue beside it. */}
        <Toast.Viewport className="fixed right-4 bottom-4 left-4 z-20 flex flex-col gap-2 sm:left-auto sm:w-96 in-[body:has([data-acts])]:bottom-20 in-[body:has([data-acts])]:max-rail:top-1 in-[body:has([data-acts])]:max-rail:bottom-auto in-[body:has(#stage)]:rail:right-auto in-[body:has(#stage)]:rail:bottom-15 in-[body:has(#stage)]:rail:left-18 in-[body:has(#stage)]:rail:w-58 in-[body:has(#stage)]:full:left-56 in-[body:has(#stage)]:full:w-72" />
      </Toast.Provider>
    </Current>
  );
}

function useToasts(undo: Action<unknown>) {
  const [shown, setShown] = useState<Shown[]>([]);
  const keys = useRef(0);
  // Here, because a page that answers a posted undo no longer has what offered it.
  const [posted, post] = useActionState(undo, untouched);
  const drop = (key: number) => setShown((before) => before.filter((one) => one.key !== key));
  const toaster = useMemo((): Toaster => {
    const show = (one: Omit<Shown, "key">) => {
      keys.current += 1;
      const key = keys.current;
      setShown((before) => [...before, { ...one, key }].slice(-shownMax));
    };
    const takeBack = (what: Undo, form: FormData) =>
      startTransition(async () => {
        const answer = await undo(untouched, form).catch(() => unreachable);
        // With the page as it is then.
        startTransition(() =>
          show({ message: wordsOf(answer), answer, undo: answer.ok ? undefined : what }),
        );
      });
    return { post, show, takeBack };
  }, [undo, post]);
  return { shown, drop, posted, toaster };
}

const looks = {
  done: "border-ink bg-ink text-on-ink",
  asks: "border-edge bg-lifted text-ink",
  danger: "border-danger bg-danger-soft text-danger",
};
const icons = { done: "check", asks: "key", danger: "warning" } as const;

function toneOf(answer: FormState = untouched): keyof typeof looks {
  if (answer.ok) return "done";
  return typeof answer.confirm === "string" ? "asks" : "danger";
}

function durationOf(tone: keyof typeof looks, undo: Undo | undefined): number {
  if (tone === "asks") return Number.POSITIVE_INFINITY;
  return undo === undefined ? resultMs : undoMs;
}

// What to confirm, and how, is said in the form below it.
function wordsOf(answer: FormState): string {
  return toneOf(answer) === "asks" ? "Nothing was undone yet." : (answer.message ?? "");
}

function ToastCard({ toast, drop }: { toast: Shown; drop: () => void }) {
  const { message, undo, answer } = toast;
  const tone = toneOf(answer);
  return (
    <Toast.Root
      type="foreground"
      duration={durationOf(tone, undo)}
      onOpenChange={(open) => open || drop()}
      className={`flex flex-wrap items-center gap-3 rounded-box border px-4 py-2 shadow-float ${looks[tone]}`}
    >
      <Icon icon={icons[tone]} />
      <Toast.Description className="min-w-0 flex-1 wrap-anywhere">{message}</Toast.Description>
      {undo !== undefined && (
        <div className={tone === "asks" ? "order-last w-full" : ""}>
          <TakeBack undo={undo} answer={answer} sends={drop}>
            <button
              type="submit"
              className="min-h-9 rounded-control border border-current px-3 font-semibold max-rail:min-h-11"
            >
              Undo
            </button>
          </TakeBack>
        </div>
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
