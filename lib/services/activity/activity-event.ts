import type { ActorKind } from "@/lib/engine/prisma-client/enums";
import type { Reason } from "@/lib/rules/decide";
import type { NamedAgent } from "../access/named-agent";
import type { LeftOut } from "../audit/record";

/** Returns how many entries of a list the log left out. */
export function leftOut({ detail }: Pick<ActivityEvent, "detail">): LeftOut {
  return (detail.more as LeftOut | undefined) ?? {};
}

/** Returns the reason of the decision that this event undid; null if there was none. */
export function reasonBefore({ detail }: Pick<ActivityEvent, "detail">): string | null {
  const before = detail.before as { reason?: string | null } | undefined;
  return before?.reason ?? null;
}

/** One line of the access log, with the agents it refers to. */
export interface ActivityEvent {
  id: string;
  at: Date;
  verb: string;
  /** `ok`, or the code of the error. */
  outcome: string;
  actor: ActorKind;
  actorId: string;
  /** The agent that acted; null where a person or the gateway did. */
  agent: NamedAgent | null;
  /** The name or address of who reviewed in the owner's place; null of others, and of accounts that are gone. */
  reviewer?: string | null;
  /** The agent that another actor's event is about. */
  about: NamedAgent | null;
  asked: string[];
  granted: string[];
  denied: string[];
  items: Record<string, number>;
  reasons: Record<string, Reason>;
  purposeType: string | null;
  receiptId: string | null;
  subjectId: string | null;
  detail: Record<string, unknown>;
  requestId: string;
  /** The beginning of the proposal that it is about, while that is there; the log itself has no text. */
  subjectText?: string;
}
