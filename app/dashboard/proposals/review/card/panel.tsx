"use client";

import { type KeyboardEvent, useId } from "react";
import { hiddenCount } from "../../../../_components/words/inert";
import { counted } from "../../../../_components/words/list";
import { Act } from "./acts";
import { CategoryField, Facts } from "./facts";
import { LikenessLine } from "./likeness-line";
import type { CardWork } from "./use-card";

/** What lies below the threshold: facts, or the panel that was opened, at the same height. */
export function Panel({ work }: { work: CardWork }) {
  const { mode } = work;
  const frame = "h-53 overflow-y-auto rail:h-40.5";
  if (mode === "edit") return <Editor work={work} />;
  if (work.isTakenBack) return <div className={frame} />;
  return (
    <div className={frame}>
      {mode === "read" && (
        <>
          <Facts work={work} />
          <LikenessLine work={work} />
        </>
      )}
      {work.isAsked && <Question work={work} />}
      {mode === "reject" && <Rejection work={work} />}
    </div>
  );
}

const undoWords = "You can undo this until the proposal expires, unless something changes.";
const inside = "flex flex-col px-4 pt-7 rail:px-7";

function Question({ work }: { work: CardWork }) {
  const { card, known, category, mode, likeness, text } = work;
  const { readers = "", title = category } = known.categories[category] ?? {};
  const hidden = hiddenCount(mode === "save" ? text : card.content);
  const isReplaced = mode === "replace" && likeness !== undefined && "memoryId" in likeness;
  return (
    <div className={`${inside} gap-1`}>
      <input type="hidden" name="category" value={category} />
      {mode === "save" && <input type="hidden" name="editedContent" value={text} />}
      <input type="hidden" name="isAsked" value="yes" />
      {isReplaced && <input type="hidden" name="memoryId" value={likeness.memoryId} />}
      {work.withoutSecrets !== null && mode !== "save" && (
        <p className="mb-1">
          <Act act="remove" work={work} opens="edit" onOpen={work.removeSecrets}>
            Remove it and keep the rest
          </Act>
        </p>
      )}
      <p className="text-lead">
        <b>{readers}.</b> Any agent that you let read {title} later can read it.
      </p>
      <p className="text-muted">
        {isReplaced && "The memory it is close to is archived. "}
        {hidden > 0 &&
          `${counted(hidden, "hidden character stays", "hidden characters stay")} in it; an edit leaves them out. `}
        {undoWords}
      </p>
    </div>
  );
}

function Editor({ work }: { work: CardWork }) {
  const { text, setText } = work;
  const id = useId();
  const issue = work.issues.editedContent ?? work.message ?? undefined;
  return (
    <div className={`${inside} h-75 gap-2 pb-3.5`}>
      <label htmlFor={id} className="flex justify-between gap-3 text-small text-muted">
        <span>The memory as it will be kept</span>
        <span className={issue === undefined ? "" : "text-danger"}>
          {issue ?? `${[...text].length.toLocaleString("en")} of 10,000 characters`}
        </span>
      </label>
      <textarea
        id={id}
        data-first
        name="editedContent"
        value={text}
        required
        onChange={(event) => setText(event.target.value)}
        onKeyDown={saveOnEnter}
        aria-invalid={issue !== undefined}
        className="min-h-0 w-full flex-1 resize-none control text-lead"
      />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-small text-muted">
        <span className="flex min-w-0 items-center gap-2">
          Goes into <CategoryField work={work} />
        </span>
        <span className="flex items-center gap-2">Can read it then {work.audience}</span>
      </div>
    </div>
  );
}

function saveOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
  event.preventDefault();
  event.currentTarget.form?.querySelector<HTMLElement>("[data-act=save]")?.click();
}

function Rejection({ work: { card, issues, message, reason } }: { work: CardWork }) {
  const id = useId();
  const issue = issues.reason ?? message ?? undefined;
  return (
    <div className={`${inside} gap-1.5`}>
      <label htmlFor={id} className="font-medium">
        Why not{" "}
        <span className="font-normal text-muted">
          {card.imported === null ? "(optional; the agent can read it)" : "(optional)"}
        </span>
      </label>
      <input
        id={id}
        data-first
        name="reason"
        defaultValue={reason}
        maxLength={500}
        autoComplete="off"
        aria-invalid={issue !== undefined}
        aria-describedby={`${id}-more`}
        className="w-full control"
      />
      <p id={`${id}-more`} className={issue === undefined ? "text-muted" : "text-danger"}>
        {issue ?? `Nothing is kept. ${undoWords}`}
      </p>
    </div>
  );
}
