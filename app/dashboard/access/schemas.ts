import { z } from "zod";
import { param, place, searchParams } from "@/lib/http/session/address/search-params";
import { idOf, tickedUnder } from "@/lib/http/session/form-fields";
import { Scope, scopesPerRequestMax } from "@/lib/protocol/scope";
import { consentChoices } from "@/lib/rules/access";
import { switchPrefix } from "./request/words/grant-words";

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
  .superRefine(refuseIncomplete);

interface GivenAnswer {
  intent: string;
  scopes: readonly string[];
  choice?: string;
}

/** A grant says what and for how long. */
export function refuseIncomplete(
  { intent, scopes, choice }: GivenAnswer,
  context: z.RefinementCtx,
): void {
  const miss = (path: string, message: string) =>
    context.addIssue({ code: "custom", path: [path], message });
  if (!Scopes.safeParse(scopes).success) miss("scopes", "These are not scopes.");
  if (intent !== "grant") return;
  if (scopes.length === 0) miss("scopes", "Switch on what it may read, or deny the request.");
  if (choice === undefined) miss("choice", "Choose for how long.");
}

export const ReceiptForm = z.object({ receiptId: idOf("rcpt", "a receipt") });

const EventId = idOf("evt", "an event");

/** Two lists on one page: `from` is where the requests begin, `before` where the receipts do. */
export const accessAddress = searchParams("/dashboard/access", {
  request: param(RequestId),
  undo: param(EventId),
  from: place,
  receipts: param(z.enum(["active", "expired", "revoked"])),
  before: place,
});

/** Where a request is, or what was decided of it. */
export function requestHref(id: string): string {
  return `${accessAddress.href({ request: id })}#${id}`;
}

/** Where the owner looks through all that an agent sees of a scope; `from` is how many come before. */
export function lookAddress(path: string) {
  return searchParams(path, {
    scope: param(Scope),
    from: z.coerce.number().int().min(0).max(offsetMax).default(0).catch(0),
  });
}

const offsetMax = 1_000_000;
