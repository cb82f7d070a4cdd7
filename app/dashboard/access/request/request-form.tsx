"use client";

import { useRouter } from "next/navigation";
import { decideAction } from "../actions";
import { AnswerForm, type AnswerShown } from "./answer-form";

/** With scripts the answer is a toast, which outlives the form, and the page goes on to what was decided. */
export function RequestForm({ requestId, ...shown }: AnswerShown & { requestId: string }) {
  const router = useRouter();
  return (
    <AnswerForm
      {...shown}
      action={decideAction}
      subject={{ name: "requestId", value: requestId }}
      done={() => router.push(`/dashboard/access?request=${requestId}`)}
    />
  );
}
