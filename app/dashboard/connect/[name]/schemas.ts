import { z } from "zod";
import { tickedUnder } from "@/lib/http/session/form-fields";
import { connectionChoices } from "@/lib/rules/access";
import { switchPrefix } from "../../access/request/words/grant-words";
import { refuseIncomplete } from "../../access/schemas";

/** What the page of a question is called. */
export const QuestionName = z.string().regex(/^[0-9A-Za-z]{43}$/);

export const AnswerForm = z
  .object({
    name: QuestionName,
    intent: z.enum(["grant", "deny", "preview"]).default("preview"),
    choice: z.enum(connectionChoices).optional(),
    proposes: z.literal("on").optional(),
    scripted: z.literal("yes").optional(),
  })
  .catchall(z.string())
  .transform(({ name, intent, choice, proposes, scripted: _, ...switches }) => ({
    ...{ name, intent, choice, proposes: proposes !== undefined },
    scopes: tickedUnder(switchPrefix, switches),
  }))
  .superRefine(refuseIncomplete);
