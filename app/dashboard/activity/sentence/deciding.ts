import { counted } from "../../../_components/words/list";
import { beginningOf } from "../../memories/beginning";
import type { EventFacts, SentencePart } from "./parts";

// Of proposals, what is approved by itself, and agents that are shut out for a while.

export function reopening(event: EventFacts): SentencePart[] {
  const { detail } = event;
  if ("undone" in detail) return ["undid approvals", ...of(event)];
  const gone = detail.deleted === true ? ", which deleted its memory" : "";
  return ["took back the decision on a proposal", ...of(event), gone, ...textIn(event)];
}

export function approving({ about, detail }: EventFacts): SentencePart[] {
  const agent = about === null ? "an agent" : { agent: about };
  return detail.ended === true
    ? ["ended the rule that approved proposals of ", agent]
    : ["let the gateway approve proposals of ", agent, " for a while"];
}

export function quarantining({ about, detail }: EventFacts): SentencePart[] {
  const held = Number(detail.held ?? 0);
  const what = held === 0 ? "" : `, and ${counted(held, "proposal")} of it apart`;
  return ["put ", about === null ? "an agent" : { agent: about }, " into quarantine", what];
}

export function lifting({ about }: EventFacts): SentencePart[] {
  return ["lifted the quarantine of ", about === null ? "an agent" : { agent: about }];
}

export function of({ about }: Pick<EventFacts, "about">): SentencePart[] {
  return about === null ? [] : [" of ", { agent: about }];
}

export function textIn({ subjectText }: EventFacts): SentencePart[] {
  return subjectText === undefined ? [] : [": ", { quoted: beginningOf(subjectText) }];
}

export function inviting({ detail }: EventFacts): SentencePart[] {
  if (detail.withdrawn === true) return ["withdrew the invitations to review"];
  return [detail.ended === true ? "ended what a reviewer may do" : "invited an account to review"];
}

export function answering({ detail }: EventFacts): SentencePart[] {
  if (detail.accepted === true) return ["accepted to review in your place"];
  return ["reviews for you no more"];
}
