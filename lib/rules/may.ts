import type { Did } from "@/lib/protocol/did";
import type { ErrorCode } from "@/lib/protocol/errors";
import type { TokenReach } from "./facts";

export type AgentCaller = {
  kind: "agent";
  did: Did;
  publicKey: Uint8Array;
  /** Set if an admin who did not register the agent added the key: the admin may be the caller. */
  keyByAdmin?: true;
};
export type TokenCaller = TokenReach & {
  kind: "token";
  did: Did;
  tokenId: string;
  profileDid: Did;
};
/** By the key of a user DID; a PersonCaller is signed in. */
export type UserCaller = { kind: "user"; did: Did; publicKey: Uint8Array };
export type PersonCaller = {
  kind: "person";
  userId: string;
  role: "user" | "admin";
  /** Null while the account is being created or recovered: it changes nothing else yet. */
  sessionId: string | null;
};
/** The gateway's own jobs. */
export type GatewayCaller = { kind: "gateway" };
/** A person with a shell on the gateway's machine. */
export type ShellCaller = { kind: "shell" };
export type NobodyCaller = { kind: "nobody" };

/** The caller that the credential proved. */
export type Caller =
  | AgentCaller
  | TokenCaller
  | UserCaller
  | PersonCaller
  | GatewayCaller
  | ShellCaller
  | NobodyCaller;

export type ProfileFact = {
  did: Did;
  ownerId: string;
  state: "active" | "suspended";
  /** Accounts that review in the owner's place, where the verb is theirs. */
  reviewers?: readonly string[];
};

/** How far an allowed caller reaches. */
export type Extent = "all" | "by_policy" | "own_only";

const refusals = {
  not_the_owner: refusal("PROF002", "This profile belongs to somebody else."),
  owner_only: refusal("PROF002", "Only the owner of the profile may do this."),
  sign_in_first: refusal("PROF002", "The owner does this in the dashboard, signed in."),
  agents_only: refusal("PROF006", "This is an agent's request: you answer it in the dashboard."),
  own_profile: refusal("PROF006", "This profile is your own: there is nothing to ask access for."),
  token_of_another_profile: refusal("PROF002", "This connection token is for another profile."),
  token_lacks_propose: refusal("PROF002", "This connection token does not carry `propose`."),
  no_contents_for_admins: refusal("PROF002", "Admins do not see the contents of profiles."),
  gateway_only: refusal("PROF002", "The gateway does this itself, by the owner's rules."),
  not_for_jobs: refusal("PROF002", "The gateway's jobs act in nobody's name."),
  profile_suspended: refusal("PROF002", "This profile is suspended."),
  admins_only: refusal("PROF002", "Only an admin may do this."),
} as const satisfies Record<string, { code: ErrorCode; message: string }>;

export type Because = keyof typeof refusals;
type Refused = { allowed: false; because: Because; code: "PROF002" | "PROF006"; message: string };

export type Permit = { allowed: true; extent: Extent } | Refused;

type CallerRole =
  | "agent"
  | "token"
  | "token_without_propose"
  | "token_elsewhere"
  | "owner"
  | "owner_signed_in"
  | "other_user"
  | "other_signed_in"
  | "reviewer"
  | "admin"
  | "gateway"
  | "nobody";
type Row = Readonly<Record<CallerRole, Extent | Because>>;

const outsiders = {
  token_elsewhere: "token_of_another_profile",
  other_user: "not_the_owner",
  other_signed_in: "not_the_owner",
  reviewer: "not_the_owner",
  admin: "no_contents_for_admins",
  gateway: "not_for_jobs",
  nobody: "owner_only",
} as const;
const owners = { ...outsiders, owner: "all", owner_signed_in: "all" } as const;

const byPolicy: Row = {
  ...owners,
  agent: "by_policy",
  token: "by_policy",
  token_without_propose: "by_policy",
};
const ownersOnly: Row = {
  ...owners,
  agent: "owner_only",
  token: "owner_only",
  token_without_propose: "owner_only",
};
// An agent's own requests and proposals, by the way it made them.
const agentsOwn: Row = {
  ...outsiders,
  owner: "agents_only",
  owner_signed_in: "agents_only",
  agent: "own_only",
  token: "own_only",
  token_without_propose: "own_only",
};
// Protocol 4: "through their session". A stolen signing key must not hand out further access.
const dashboard: Row = { ...ownersOnly, owner: "sign_in_first" };
const jobs: Row = {
  ...ownersOnly,
  owner: "gateway_only",
  owner_signed_in: "gateway_only",
  gateway: "all",
};

// Protocol 4, the table; below it the verbs of the dashboard.
const rows = {
  getProfile: byPolicy,
  requestAccess: { ...byPolicy, owner: "own_profile", owner_signed_in: "own_profile" },
  listMemories: byPolicy,
  proposeMemory: { ...byPolicy, token_without_propose: "token_lacks_propose" },
  listProposals: {
    ...owners,
    agent: "own_only",
    token: "own_only",
    token_without_propose: "own_only",
  },
  reviewProposal: ownersOnly,
  followRequest: agentsOwn,
  withdrawProposal: agentsOwn,
  answerWhy: agentsOwn,
  askWhy: dashboard,
  reopenProposal: dashboard,
  liftRejection: dashboard,
  editApproving: dashboard,
  editReviewers: dashboard,
  reviewForOwner: { ...dashboard, reviewer: "all" },
  approveByRule: jobs,
  editProfile: dashboard,
  browseMemories: dashboard,
  editMemories: dashboard,
  editPolicies: dashboard,
  seeAsAgent: dashboard,
  decideConsent: dashboard,
  revokeAgent: dashboard,
  quarantineAgent: dashboard,
  liftQuarantine: dashboard,
  revokeReceipt: dashboard,
  restoreAccess: dashboard,
  editTokens: dashboard,
  editKeys: dashboard,
  readActivity: dashboard,
  exportProfile: dashboard,
  importProfile: dashboard,
  importMemories: dashboard,
  deleteProfile: dashboard,
} as const satisfies Record<string, Row>;

export type Verb = keyof typeof rows;

type Question = { caller: Caller; verb: Verb; profile: ProfileFact };

/** Protocol 4: may this caller do this to that profile, and how far does it reach? */
export function may({ caller, verb, profile }: Question): Permit {
  const row: Row = rows[verb];
  const cell = row[roleOf(caller, profile)];
  if (isRefusal(cell)) return refuse(cell);
  return profile.state === "suspended"
    ? refuse("profile_suspended")
    : { allowed: true, extent: cell };
}

/** Admins look after agents, accounts and settings; this never opens a profile. */
export function mayAdminister(caller: Caller): { allowed: true } | Refused {
  const isAdmin = caller.kind === "shell" || (caller.kind === "person" && caller.role === "admin");
  return isAdmin ? { allowed: true } : refuse("admins_only");
}

const readings = [
  "getProfile",
  "listMemories",
  "listProposals",
  "followRequest",
  "browseMemories",
  "seeAsAgent",
  "readActivity",
  "exportProfile",
] as const satisfies readonly Verb[];

/** Verbs that change a profile or its owner's decisions. */
export type WritingVerb = Exclude<Verb, (typeof readings)[number]>;

/** Whether it leaves the profile as it was. */
export function isReading(verb: Verb): boolean {
  return (readings as readonly Verb[]).includes(verb);
}

export function verbs(): Verb[] {
  return Object.keys(rows).filter((name): name is Verb => Object.hasOwn(rows, name));
}

function roleOf(caller: Caller, profile: ProfileFact): CallerRole {
  switch (caller.kind) {
    case "agent":
    case "gateway":
    case "nobody":
      return caller.kind;
    case "shell":
      return "nobody";
    case "token":
      if (caller.profileDid !== profile.did) return "token_elsewhere";
      return caller.permissions.includes("propose") ? "token" : "token_without_propose";
    case "user":
      return caller.did === profile.did ? "owner" : "other_user";
    case "person":
      if (caller.userId === profile.ownerId) return "owner_signed_in";
      if (profile.reviewers?.includes(caller.userId)) return "reviewer";
      return caller.role === "admin" ? "admin" : "other_signed_in";
  }
}

function isRefusal(cell: Extent | Because): cell is Because {
  return Object.hasOwn(refusals, cell);
}

function refuse(because: Because): Refused {
  return { allowed: false, because, ...refusals[because] };
}

function refusal<C extends ErrorCode>(code: C, message: string): { code: C; message: string } {
  return { code, message };
}
