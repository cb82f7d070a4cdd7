"use client";

import { Form, SubmitButton } from "../../../_components/forms/form";
import { shelveAction } from "../actions";
import type { ShelveForm } from "../schemas";
import { shelveWords } from "../shelve-words";

interface ShelveButtonsProps {
  memoryId: string;
  seen: string;
  hows: readonly ShelveForm["how"][];
}

/** The memory stays on its page whatever becomes of it, so each form tells its own result. */
export function ShelveButtons({ memoryId, seen, hows }: ShelveButtonsProps) {
  return (
    <Form action={shelveAction} className="flex flex-wrap gap-2">
      <input type="hidden" name="memoryId" value={memoryId} />
      <input type="hidden" name="seen" value={seen} />
      {hows.map((how) => (
        <SubmitButton
          key={how}
          look={how === "delete" ? "danger" : "secondary"}
          name="how"
          value={how}
        >
          {shelveWords[how]}
        </SubmitButton>
      ))}
    </Form>
  );
}
