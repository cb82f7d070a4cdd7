import { z } from "zod";
import { idOf, tickedUnder } from "@/lib/http/session/form-fields";
import { Scope, scopesPerRequestMax } from "@/lib/protocol/scope";
import { consentChoices } from "@/lib/rules/access";

/** The name of a scope's switch; one that is off sends nothing. */
export const switchPrefix = "scope:";

export const RequestId = idOf("creq", "a request");

export const Scopes = z.array(Scope).max(scopesPerRequestMax);

const intents = ["grant", "deny", "preview"] as const;

export const DecisionForm = z
  .object({
    requestId: RequestId,
    intent: z.enum(intents).default("preview"),
    choice: z.enum(consentChoices).optional(),
    /** A script sends the form, and goes on from the answer. */
    scripted: z.literal("yes").optional(),
  })
  .catchall(z.string())
  .transform(({ requestId, intent, choice, scripted, ...switches }) => ({
    requestId,
    intent,
    choice,
    scripted: scripted !== undefined,
    scopes: tickedUnder(switchPrefix, switches),
  }))
  .superRefine(({ intent, scopes, choice }, context) => {
    const miss = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (!Scopes.safeParse(scopes).success) miss("scopes", "These are not scopes.");
    if (intent !== "grant") return;
    if (scopes.length === 0) miss("scopes", "Switch on what it may read, or deny the request.");
    if (choice === undefined) miss("choice", "Choose for how long.");
  });

export const ReceiptForm = z.object({ receiptId: idOf("rcpt", "a receipt") });

export const EventId = idOf("evt", "an event");
