import { isLeft } from "@/lib/services/activity/kinds";
import { agentLabel } from "../../../_components/shown/agent-name";
import { visibleText } from "../../../_components/words/inert";
import { deedOf, wordsOf } from "./deed";
import { type EventFacts, purposeOf, type SentencePart } from "./parts";
import { verbWords } from "./verbs";
import { whyWords } from "./why";

/** Describes an event of the access log in one sentence, without its full stop. */
export function sentenceOf(event: EventFacts): SentencePart[] {
  const key = event.detail.keyByAdmin === true ? [", with a key that an admin added"] : [];
  return [actorOf(event), " ", ...predicateOf(event), ...key];
}

/** Returns the sentence as text, where no elements are possible. */
export function sentenceText(event: EventFacts): string {
  return sentenceOf(event)
    .map((part) => {
      if (typeof part === "string") return part;
      return "agent" in part
        ? visibleText(agentLabel(part.agent))
        : `“${visibleText(part.quoted)}”`;
    })
    .join("");
}

function actorOf({ actor, agent, actorId, detail, reviewer }: EventFacts): SentencePart {
  if (agent !== null) return { agent };
  if (detail.by === "newOwner") return "The other account";
  if (actor === "owner") return "You";
  if (actor === "reviewer") return reviewer == null ? "A reviewer" : { quoted: reviewer };
  if (actor === "admin") return "An admin of this gateway";
  return actorId === "gateway" ? "The gateway" : "Somebody who was not signed in as the owner";
}

function predicateOf(event: EventFacts): SentencePart[] {
  const words = Object.hasOwn(verbWords, event.verb) ? verbWords[event.verb] : undefined;
  if (event.outcome === "ok") return words?.done(event) ?? [doneOf(event.verb)];
  const tried = words?.tried(event) ?? wordsOf(event.verb).join(" ");
  if (isLeft(event)) {
    return [`asked to ${tried}`, ...purposeOf(event), ": left for you to decide"];
  }
  const verb = event.verb === "requestAccess" ? "asked" : "tried";
  return [`${verb} to ${tried}`, ...purposeOf(event), `: refused, ${whyWords(event)}`];
}

// A verb that nobody has found words for yet: what its name says.
function doneOf(verb: string): string {
  const [first = "", ...rest] = wordsOf(verb);
  const done = deedOf(first);
  return done === null ? `did “${[first, ...rest].join(" ")}”` : [done, ...rest].join(" ");
}
