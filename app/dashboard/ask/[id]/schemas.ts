import { z } from "zod";
import { text } from "@/lib/protocol/resources";
import { questionLengthMax } from "@/lib/services/requests/inquiry";

/** An access request or a proposal. */
export const SubjectId = z.string().regex(/^(creq|prop)_\w{1,22}$/);

export const AskForm = z.object({
  id: SubjectId,
  question: text({ min: 1, max: questionLengthMax }),
});
