"use client";

import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { Button } from "../../../../_components/button";
import { Key } from "../../../../_components/key";
import type { Mode } from "./card-data";
import type { CardWork } from "./use-card";

const bar =
  "flex flex-none items-center gap-2 border-t border-line bg-surface px-3 pt-2.5 pb-[max(10px,env(safe-area-inset-bottom))] rail:gap-2.5 rail:px-7 rail:py-3.5 print:hidden";
const act = "min-h-13 flex-1 rail:min-h-11 rail:flex-none";
const main = `${act} max-rail:grow-2`;

/** What can be done now, always in the same place. */
export function Acts({ work }: { work: CardWork }) {
  return (
    <div data-acts className={bar}>
      {work.isTakenBack ? (
        <TakenBackActs work={work} />
      ) : work.isAsked ? (
        <QuestionActs work={work} />
      ) : work.mode === "edit" ? (
        <EditActs work={work} />
      ) : work.mode === "reject" ? (
        <RejectActs work={work} />
      ) : (
        <ReadActs work={work} />
      )}
    </div>
  );
}

function TakenBackActs({ work }: { work: CardWork }) {
  return (
    <>
      <p role="status" className="min-w-0 flex-1 text-muted">
        Its agent took it back: there is nothing to decide.
      </p>
      <Button look="secondary" className="min-h-13 rail:min-h-11" onClick={work.leave}>
        Go on
      </Button>
    </>
  );
}

function ReadActs({ work }: { work: CardWork }) {
  const approve = { act: "approve", keys: "A", decides: true, work };
  return (
    <>
      {work.secondAct === null ? (
        <Act {...approve} look="primary" intent="approve" className={main}>
          Approve
        </Act>
      ) : (
        <Act {...approve} opens="keep" className={act}>
          Approve…
        </Act>
      )}
      <Act act="edit" keys="E" opens="edit" work={work} className={act}>
        Edit
      </Act>
      <Act act="reject" keys="R" opens="reject" work={work} className={act}>
        Reject
      </Act>
      <Note>
        {work.isEndUnseen
          ? endUnseen
          : work.secondAct === null
            ? "Nothing is kept before you approve it."
            : "Never part of approving many at once."}
      </Note>
    </>
  );
}

const endUnseen = "Approve is off until you have seen its end.";

/** The second act for what is sensitive or flagged. */
function QuestionActs({ work }: { work: CardWork }) {
  const isEdited = work.mode === "save";
  const intent = isEdited ? "edit" : work.mode === "replace" ? "replace" : "approve";
  return (
    <>
      <Act
        {...{ act: "back", keys: "Esc", work, className: act }}
        {...(isEdited ? { opens: "edit", intent: "preview" } : { opens: "read" })}
      >
        Not now
      </Act>
      <Note>{work.secondAct?.note}</Note>
      <Act
        {...{ act: "yes", keys: "Y", intent, decides: true, work, className: main }}
        look="sensitive"
      >
        Yes, keep it
      </Act>
    </>
  );
}

function EditActs({ work }: { work: CardWork }) {
  const save = { act: "save", keys: "Ctrl Enter", decides: true, work };
  return (
    <>
      {work.sensitive === null ? (
        <Act {...save} look="primary" intent="edit" className={main}>
          Approve with changes
        </Act>
      ) : (
        <Act {...save} opens="save" intent="ask" className={main}>
          Approve with changes…
        </Act>
      )}
      <Back work={work} />
      <noscript>
        <Button type="submit" look="secondary" name="intent" value="preview">
          Show the changes
        </Button>
      </noscript>
      <Note>
        {work.isEndUnseen ? (
          endUnseen
        ) : (
          <span className="noscript:hidden">A, E and R are off while you write.</span>
        )}
      </Note>
    </>
  );
}

function RejectActs({ work }: { work: CardWork }) {
  const sure = { act: "sure", keys: "Enter", decides: true, work };
  return (
    <>
      <Act {...sure} look="danger" intent="reject" className={main}>
        Reject
      </Act>
      <Back work={work} />
    </>
  );
}

function Back({ work }: { work: CardWork }) {
  return (
    <Act act="back" keys="Esc" opens="read" work={work} className={act}>
      Back
    </Act>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <span className="ml-auto text-small text-muted max-full:hidden not-last:mr-0">{children}</span>
  );
}

interface ActProps {
  /** Names it for the keys. */
  act: string;
  keys?: string;
  look?: ComponentProps<typeof Button>["look"];
  work: CardWork;
  /** Sends the card's form with this. */
  intent?: "approve" | "edit" | "ask" | "preview" | "replace" | "reject";
  /** Opens a panel of the card. Without scripts the intent does; where there is none, a page of its own. */
  opens?: Mode;
  onOpen?: () => void;
  /** Whether it counts only once the claim was seen. */
  decides?: boolean;
  className?: string;
  children: string;
}

/** A button of the card, named by the claim. The second click of a double click would mean the next card. */
export function Act({ act, keys, look = "secondary", work, intent, opens, ...rest }: ActProps) {
  const { decides = false, children, className = "", onOpen } = rest;
  const isMain = look === "primary" || look === "sensitive" || act === "approve" || act === "save";
  function click(event: MouseEvent) {
    const counts = event.detail <= 1 && (!decides || work.isReady());
    if (opens !== undefined || !counts) event.preventDefault();
    if (opens === undefined || !counts) return;
    onOpen?.();
    work.open(opens);
  }
  return (
    <Button
      type="submit"
      data-act={act}
      look={look}
      aria-label={`${children}: ${work.label}`}
      aria-disabled={decides && work.isEndUnseen ? true : undefined}
      onClick={click}
      className={`${className} aria-disabled:opacity-60`}
      {...(intent === undefined
        ? { form: work.askForm, name: "ask", value: opens }
        : { name: "intent", value: intent })}
    >
      {keys !== undefined && <Key isMain={isMain}>{keys}</Key>}
      {children}
    </Button>
  );
}
