"use client";

import { pickPrefix } from "./pick-prefix";

/** The form that every checkbox belongs to, wherever on the page it stands. */
export const bulkForm = "bulk";

interface PickProps {
  id: string;
  label: string;
  isSending: boolean;
}

export function Pick({ id, label, isSending }: PickProps) {
  return (
    <label className="absolute -top-2.5 -left-3 flex size-10 items-center justify-center">
      <input
        type="checkbox"
        name={`${pickPrefix}${id}`}
        form={bulkForm}
        data-pick={id}
        disabled={isSending}
        aria-label={`Select: ${label}`}
        className="size-4 accent-accent"
      />
    </label>
  );
}
