import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { type ActivityKind, isLeft, isRefused, kindOf } from "@/lib/services/activity/kinds";
import type { IconName } from "../../../_components/icon";
import { deedIn } from "../sentence/deed";

interface Mark {
  icon: IconName;
  /** `waits` for the owner, now. */
  tone: "plain" | "refused" | "waits";
}

const verbs: Readonly<Record<string, IconName>> = {
  requestAccess: "hand",
  decideConsent: "handshake",
  revokeAgent: "sign-out",
  editTokens: "ticket",
  editKeys: "key",
  addAgentKey: "key",
  seeAsAgent: "eye",
};

const kinds: Record<ActivityKind, IconName> = {
  reads: "eye",
  proposals: "tray-arrow-down",
  decisions: "check",
  access: "handshake",
  policies: "signpost",
  memories: "pencil-simple",
  account: "user-circle",
};

type Marked = Pick<ActivityEvent, "verb" | "outcome" | "subjectId" | "detail">;

/** Returns what the eye finds an event by; its sentence says the same. */
export function markOf(event: Marked, waiting: ReadonlySet<string>): Mark {
  const { verb, subjectId, detail } = event;
  if (isRefused(event)) return { icon: "prohibit", tone: "refused" };
  const isWaiting = isLeft(event) && waiting.has(subjectId ?? "");
  if (isWaiting) return { icon: "hand", tone: "waits" };
  if (verb === "reviewProposal" && deedIn(detail) === "rejected") return plain("x");
  return plain(Object.hasOwn(verbs, verb) ? (verbs[verb] ?? "pulse") : kinds[kindOf(verb)]);
}

function plain(icon: IconName): Mark {
  return { icon, tone: "plain" };
}
