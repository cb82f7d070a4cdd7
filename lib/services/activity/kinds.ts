/** The kinds that the log can be filtered by, in the order a person would ask. */
export const activityKinds = [
  "reads",
  "proposals",
  "decisions",
  "access",
  "policies",
  "memories",
  "account",
] as const;
export type ActivityKind = (typeof activityKinds)[number];

const kinds: Readonly<Record<string, ActivityKind>> = {
  getProfile: "reads",
  listMemories: "reads",
  proposeMemory: "proposals",
  listProposals: "proposals",
  withdrawProposal: "proposals",
  followRequest: "access",
  askWhy: "decisions",
  answerWhy: "decisions",
  reviewProposal: "decisions",
  reopenProposal: "decisions",
  liftRejection: "decisions",
  approveByRule: "decisions",
  reviewForOwner: "decisions",
  editApproving: "policies",
  editReviewers: "access",
  answerInvitation: "access",
  decideConsent: "decisions",
  requestAccess: "access",
  revokeAgent: "access",
  quarantineAgent: "access",
  liftQuarantine: "access",
  restoreAccess: "access",
  editTokens: "access",
  addAgentKey: "access",
  editPolicies: "policies",
  restorePolicies: "policies",
  restoreBackup: "policies",
  editMemories: "memories",
  importMemories: "memories",
  restoreMemory: "memories",
};

/** A verb that has no row belongs to the account: profile, keys, exports and the like. */
export function kindOf(verb: string): ActivityKind {
  return Object.hasOwn(kinds, verb) ? (kinds[verb] ?? "account") : "account";
}

/** Returns the verbs of a kind; those of the account are all others. */
export function verbsOf(kind: ActivityKind): { verbs: string[]; areThese: boolean } {
  const verbs = Object.keys(kinds).filter((verb) => kind === "account" || kinds[verb] === kind);
  return { verbs, areThese: kind !== "account" };
}

export interface Outcome {
  verb: string;
  /** `ok`, or the code of the error. */
  outcome: string;
  subjectId: string | null;
}

/** Whether an access request was left for the owner to decide: that is not refused. */
export function isLeft({ verb, outcome, subjectId }: Outcome): boolean {
  return outcome !== "ok" && verb === "requestAccess" && subjectId !== null;
}

export function isRefused(event: Outcome): boolean {
  return event.outcome !== "ok" && !isLeft(event);
}
