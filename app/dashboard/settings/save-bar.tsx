"use client";

import { useEffect, useRef, useState } from "react";
import { SubmitButton, useFormState } from "@/app/_components/forms/form";
import { counted } from "@/app/_components/words/list";

/** Saves a form of values and says what is not saved yet, in sight however long the form is. */
export function SaveBar() {
  const bar = useRef<HTMLDivElement>(null);
  const [changes, setChanges] = useState(0);
  const { ok, values } = useFormState();
  // With each answer too: an accepted form is reset.
  useEffect(() => {
    const form = bar.current?.closest("form");
    const count = () => setChanges([...(form?.elements ?? [])].filter(isChanged).length);
    count();
    form?.addEventListener("input", count);
    return () => form?.removeEventListener("input", count);
  });
  const isRefused = !ok && Object.keys(values).length > 0;
  const isSaved = changes === 0 && !isRefused;
  // Without scripts changes are not counted: there it stays the main button.
  const idle =
    "scripting:border-edge scripting:bg-surface scripting:text-ink scripting:hover:border-ink scripting:hover:bg-surface";
  return (
    <div
      ref={bar}
      className="sticky bottom-0 -mx-5 flex max-w-none! items-center gap-4 rounded-b-box border-t border-line bg-surface px-5 py-3 max-rail:bottom-15 sm:-mx-6 sm:px-6 print:hidden"
    >
      <SubmitButton className={isSaved ? idle : ""}>Save</SubmitButton>
      <p
        role="status"
        className={`hidden scripting:block ${isSaved ? "text-muted" : "font-medium"}`}
      >
        {isRefused
          ? "Not saved"
          : changes > 0
            ? `${counted(changes, "change")} not saved`
            : "No changes to save"}
      </p>
    </div>
  );
}

function isChanged(field: Element): boolean {
  if (field instanceof HTMLSelectElement)
    return field.selectedOptions[0]?.defaultSelected === false;
  if (field instanceof HTMLInputElement && field.type === "checkbox") {
    return field.checked !== field.defaultChecked;
  }
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return isText && field.type !== "hidden" && field.value !== field.defaultValue;
}
