import type { Scope } from "@/lib/protocol/scope";
import { leftOut } from "@/lib/rules/access";
import type { Counts, SeenItem } from "@/lib/rules/effect/seen";
import type { KnownConsent } from "@/lib/services/access/consents";
import { categoryWords } from "../../../../_components/words/category";
import { list } from "../../../../_components/words/list";
import { purposeWords } from "../../../../_components/words/purpose";
import { dayWords, type ReaderClock, untilWords } from "../../../../_components/words/time";
import { heldWords } from "./grant-words";

/** "asks to read your interests and episodes" */
export function asksWords(scopes: readonly Scope[]): string {
  if (scopes.includes("prof:*")) return "asks to read everything that you keep";
  return `asks to read your ${list(scopes.map(categoryWords))}`;
}

/** "The rest stays closed: 59 memories in health and identity." */
export function restWords(counts: Counts, rest: readonly Pick<SeenItem, "category">[]): string {
  if (rest.length === 0) return "You keep nothing else that is closed to it.";
  const roots = rest.map(({ category }) => category.split(".", 1)[0] ?? category);
  const words = [...new Set(roots)].map(categoryWords);
  return `The rest stays closed: ${heldWords(counts)} in ${list(words)}.`;
}

type DecidedRequest = Pick<
  KnownConsent,
  "scopes" | "grantedScopes" | "purposeType" | "refusedUntil" | "grant"
>;

/** "You granted interests for recommendation, until 24 December 2026. You did not grant health. …" */
export function decidedWords(request: DecidedRequest, clock: ReaderClock): string {
  const { scopes, grantedScopes } = request;
  if (grantedScopes.length === 0) return `You granted nothing.${againWords(request, clock)}`;
  const purpose = purposeWords(request.purposeType);
  const granted = `You granted ${list(grantedScopes.map(categoryWords))} for ${purpose}${endWords(request, clock)}.`;
  const withheld = leftOut(scopes, grantedScopes);
  if (withheld.length === 0) return granted;
  const kept = `You did not grant ${list(withheld.map(categoryWords))}.`;
  return `${granted} ${kept}${againWords(request, clock)}`;
}

function endWords({ grant }: DecidedRequest, clock: ReaderClock): string {
  const isEnded = grant?.expiresAt != null && grant.expiresAt <= clock.now;
  if (grant === null || !grant.enabled || isEnded) return "; that grant is over";
  return grant.expiresAt === null
    ? ", until you end it"
    : `, ${untilWords(grant.expiresAt, clock)}`;
}

function againWords({ refusedUntil }: DecidedRequest, { now, zone }: ReaderClock): string {
  if (refusedUntil === null || refusedUntil <= now) return "";
  return ` Until ${dayWords(refusedUntil, zone)} it gets the same answer for the same purpose without asking you, unless a rule of yours lets it in.`;
}
